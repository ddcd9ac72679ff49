import type { Edit } from './markdown-edits.ts';

export interface Match {
  from: number;
  to: number;
}

/** Finds all occurrences in a text. */
export function findText(text: string, words: string, isCaseKept: boolean): Match[] {
  if (words === '') return [];
  const pattern = new RegExp(words.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'), isCaseKept ? 'gu' : 'giu');
  return [...text.matchAll(pattern)].map((match) => ({ from: match.index, to: match.index + match[0].length }));
}

/** Index of the match at or after a position, wrapping around, or -1. */
export function matchAfter(matches: readonly Match[], place: number): number {
  const next = matches.findIndex(({ from }) => from >= place);
  return next === -1 && matches.length > 0 ? 0 : next;
}

/** Replaces all matches in one edit, so that a single undo reverts it. Null if nothing changes. */
export function replaceMatches(text: string, matches: readonly Match[], replacement: string): Edit | null {
  const [first, last] = [matches[0], matches.at(-1)];
  if (!first || !last) return null;
  let insert = '';
  let done = first.from;
  for (const { from, to } of matches) {
    insert += text.slice(done, from) + replacement;
    done = to;
  }
  const end = first.from + insert.length;
  return { from: first.from, to: last.to, insert, selectFrom: end, selectTo: end };
}
