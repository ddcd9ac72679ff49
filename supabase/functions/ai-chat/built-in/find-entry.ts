import { keywords } from '../search.ts';
import type { FaqEntry } from '../site-content.ts';

/**
 * The entry of the questions and answers that a question is about, or null: they have most words in common, and none of
 * those that carry the question's subject is missing in the entry.
 */
export function findEntry(entries: readonly FaqEntry[], text: string): FaqEntry | null {
  const asked = subjectsOf(text);
  let best: FaqEntry | null = null;
  let bestShare = 0.5;
  for (const entry of entries) {
    const known = subjectsOf(entry.question);
    const share = asked.length / known.length;
    if (share <= 1 && share >= bestShare && asked.every((word) => known.includes(word))) {
      best = entry;
      bestShare = share;
    }
  }
  return best;
}

/** Questions such as "How much does it cost?" have none but words that the search leaves out: there all words count. */
function subjectsOf(text: string): string[] {
  const subjects = keywords(text);
  return subjects.length > 0 ? subjects : [...new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu))];
}
