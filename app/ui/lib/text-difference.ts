import { type Change, diffLines, diffWordsWithSpace } from 'diff';

/** Run of text that is either unchanged or changed in the other text. */
export interface Piece {
  text: string;
  isChanged: boolean;
}

/** Limits for the search for a minimal difference. Above them it is slow and its result unreadable. */
const MAX_CHANGED_LINES = 500;
const MAX_CHANGED_WORDS = 500;

/** Characters of unchanged text around a change. */
const CONTEXT = 160;

/** Compares two texts. Changed lines are compared word by word. */
export function textDifference(before: string, after: string): { before: Piece[]; after: Piece[] } {
  const sides: { before: Piece[]; after: Piece[] } = { before: [], after: [] };
  const lines = diffLines(before, after, { maxEditLength: MAX_CHANGED_LINES });
  for (const { removed, added, same } of pairs(lines ?? asReplacement(before, after))) {
    if (same !== undefined) {
      add(sides.before, same, false);
      add(sides.after, same, false);
      continue;
    }
    const words = diffWordsWithSpace(removed, added, { maxEditLength: MAX_CHANGED_WORDS });
    for (const word of words ?? asReplacement(removed, added)) {
      if (!word.added) add(sides.before, word.value, word.removed);
      if (!word.removed) add(sides.after, word.value, word.added);
    }
  }
  return sides;
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

function asReplacement(before: string, after: string): Change[] {
  return [
    { value: before, removed: true, added: false, count: 1 },
    { value: after, removed: false, added: true, count: 1 },
  ];
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
