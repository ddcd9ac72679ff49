import { createSearchIndex, type SearchIndex } from '../search.ts';
import type { FaqEntry } from '../site-content.ts';

/** Certainty from which the best entry is right in 97 of 100 cases, by node bench/calibrate-assistant.ts. */
export const SURE = 0.91;

const INDEXES = new WeakMap<readonly FaqEntry[], SearchIndex>();

/** Returns the entry of the questions and answers that a question asks for, or null when that is not sure. */
export function findEntry(entries: readonly FaqEntry[], text: string): FaqEntry | null {
  const [best] = indexOf(entries).search(text);
  return best?.kind === 'faq' && best.certainty >= SURE ? best.item : null;
}

function indexOf(entries: readonly FaqEntry[]): SearchIndex {
  const known = INDEXES.get(entries);
  if (known) return known;
  const index = createSearchIndex({
    published: entries.map((item) => ({
      kind: 'faq',
      title: item.question,
      url: '/contact#questions',
      texts: [item.answer],
      item,
    })),
  });
  INDEXES.set(entries, index);
  return index;
}
