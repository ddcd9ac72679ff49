import { type Change, diffArrays, diffLines } from 'diff';
import { MERGE_FIELD } from './merge-fields.ts';

/** Part of one text. `isChanged` is true if the other text does not contain it at this position. */
export interface Piece {
  text: string;
  isChanged: boolean;
}

/**
 * Limits for the search for a minimal difference. A text with more changes counts as replaced, because the search would
 * be slow and its result unreadable.
 */
const MAX_CHANGED_LINES = 500;
const MAX_CHANGED_WORDS = 500;

/** Letters from which a passage can count as rewritten. */
const MIN_REWRITTEN_LENGTH = 60;

/** Characters of unchanged text around a change. */
const CONTEXT = 160;

/** Part of a merged text. `removed` parts are only in the first text, `added` parts only in the second. */
export interface Edit {
  text: string;
  change: 'none' | 'removed' | 'added';
}

/** Words, spaces and single characters. Merge fields are compared as a whole. */
const WORD = new RegExp(`${MERGE_FIELD.source}|[\\p{L}\\p{N}_]+|\\r?\\n|[^\\S\\r\\n]+|[\\s\\S]`, 'giu');

/** Compares two texts. Changed lines are compared word by word. */
export function textDifference(before: string, after: string): { before: Piece[]; after: Piece[] } {
  const sides: { before: Piece[]; after: Piece[] } = { before: [], after: [] };
  for (const { text, change } of compare(before, after)) {
    if (change !== 'added') add(sides.before, text, change === 'removed');
    if (change !== 'removed') add(sides.after, text, change === 'added');
  }
  return sides;
}

/** Merges two texts. Changes that are separated only by spaces become one, so that whole phrases are replaced. */
export function textEdits(before: string, after: string): Edit[] {
  const edits: Edit[] = [];
  const changed = { removed: '', added: '' };
  const flush = () => {
    const space = /[^\S\r\n]*$/.exec(changed.removed)?.[0] ?? '';
    const end = changed.added.endsWith(space) ? -space.length || undefined : undefined;
    for (const change of ['removed', 'added'] as const) {
      const text = changed[change].slice(0, end);
      if (text) edits.push({ text, change });
      changed[change] = '';
    }
    if (end) edits.push({ text: space, change: 'none' });
  };
  const all = compare(before, after);
  for (const [index, { text, change }] of all.entries()) {
    const isGap = /^[^\S\r\n]+$/.test(text) && (all[index + 1]?.change ?? 'none') !== 'none';
    if (change !== 'none') changed[change] += text;
    else if (isGap && changed.removed && changed.added) {
      changed.removed += text;
      changed.added += text;
    } else {
      flush();
      edits.push({ text, change });
    }
  }
  flush();
  return edits;
}

function compare(before: string, after: string): Edit[] {
  const edits: Edit[] = [];
  const lines = diffLines(before, after, { maxEditLength: MAX_CHANGED_LINES });
  for (const { removed, added, same } of pairs(lines ?? replaceText(before, after))) {
    if (same !== undefined) {
      edits.push({ text: same, change: 'none' });
      continue;
    }
    const words = diffArrays(removed.match(WORD) ?? [], added.match(WORD) ?? [], { maxEditLength: MAX_CHANGED_WORDS });
    const changes =
      words && !isRewritten(words, removed, added)
        ? words.map((word) => ({ ...word, value: word.value.join('') }))
        : replaceText(removed, added);
    for (const { value: text, ...word } of changes) {
      if (text) edits.push({ text, change: (word.removed && 'removed') || (word.added && 'added') || 'none' });
    }
  }
  return edits;
}

/** Shortens long unchanged runs around changes. A text without changes keeps its beginning. */
export function shortened(pieces: readonly Piece[]): Piece[] {
  return pieces.map((piece, index) => {
    const [isFirst, isLast] = [index === 0, index === pieces.length - 1];
    const head = isFirst && !isLast ? 0 : CONTEXT;
    const tail = isLast ? 0 : CONTEXT;
    if (piece.isChanged || piece.text.length <= head + tail + CONTEXT) return piece;
    const end = tail === 0 ? '' : piece.text.slice(-tail);
    return { ...piece, text: `${piece.text.slice(0, head)}${head === 0 ? '' : ' '}…${tail === 0 ? '' : ' '}${end}` };
  });
}

function replaceText(before: string, after: string): Change[] {
  return [
    { value: before, removed: true, added: false, count: 1 },
    { value: after, removed: false, added: true, count: 1 },
  ];
}

/** Returns true if less than half of a long passage was kept. Marking single words would be unreadable. */
function isRewritten(words: readonly { value: string[]; added: boolean; removed: boolean }[], ...sides: string[]) {
  const lengthOf = (text: string) => text.replace(/\s/g, '').length;
  const kept = words.filter((word) => !word.added && !word.removed).map(({ value }) => lengthOf(value.join('')));
  const longest = Math.max(...sides.map(lengthOf));
  return longest > MIN_REWRITTEN_LENGTH && kept.reduce((sum, length) => sum + length, 0) * 2 < longest;
}

/** Pairs removals with the insertions that replace them. */
function pairs(changes: readonly Change[]): { removed: string; added: string; same?: string }[] {
  const result: { removed: string; added: string; same?: string }[] = [];
  for (const { value, removed, added } of changes) {
    const last = result.at(-1);
    if (!removed && !added) result.push({ removed: '', added: '', same: value });
    else if (added && last && last.same === undefined && last.added === '') last.added = value;
    else result.push({ removed: removed ? value : '', added: added ? value : '' });
  }
  return result;
}

function add(pieces: Piece[], text: string, isChanged: boolean): void {
  if (text === '') return;
  const last = pieces.at(-1);
  if (last?.isChanged === isChanged) last.text += text;
  else pieces.push({ text, isChanged });
}
