import { createSearchIndex, type SearchIndex } from '../search.ts';
import type { FaqEntry } from '../site-content.ts';

/** Minimum certainty. From this value on, 97% of the best entries are correct (bench/calibrate-assistant.ts). */
export const SURE = 0.91;

const INDEXES = new WeakMap<readonly FaqEntry[], SearchIndex>();

/** Returns the entry that answers a question, or null if it is uncertain. */
export function findEntry(entries: readonly FaqEntry[], text: string): FaqEntry | null {
  const [bestMatch] = indexOf(entries).search(text);
  return bestMatch?.kind === 'faq' && bestMatch.certainty >= SURE ? bestMatch.item : null;
}

function indexOf(entries: readonly FaqEntry[]): SearchIndex {
  const cached = INDEXES.get(entries);
  if (cached) return cached;
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
