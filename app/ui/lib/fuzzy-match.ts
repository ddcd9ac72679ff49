/** Rates a match with tolerance for typos: 0 for none, 1 for an exact match. */
export function fuzzyScore(typed: string, text: string): number {
  const wanted = wordsOf(typed);
  if (wanted.length === 0) return 0;
  if (wanted.join(' ') === wordsOf(text).join(' ')) return 1;
  const words = wordsOf(text);
  let sum = 0;
  for (const word of wanted) {
    const best = Math.max(0, ...words.map((candidate, place) => wordScore(word, candidate) - place / 1000));
    // Every word must match.
    if (best <= 0) return 0;
    sum += best;
  }
  return (sum / wanted.length) * 0.99;
}

function wordScore(typed: string, word: string): number {
  if (typed === word) return 0.95;
  if (word.startsWith(typed)) return 0.9;
  if (typed.length > 2 && word.includes(typed)) return 0.7;
  // In short words, a single typo gives another word.
  const allowed = typed.length < 4 ? 0 : typed.length < 8 ? 1 : 2;
  if (allowed === 0) return 0;
  // The last part of the word may not be typed yet.
  const lengths = [word.length, typed.length - 1, typed.length, typed.length + 1];
  const distance = Math.min(...lengths.map((length) => editDistance(typed, word.slice(0, length))));
  return distance <= allowed ? 0.6 - distance / 10 : 0;
}

function wordsOf(text: string): string[] {
  return (
    text
      .toLowerCase()
      .normalize('NFD')
      .replaceAll(/\p{M}/gu, '')
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}

/** Optimal string alignment distance: insertions, deletions, substitutions and transpositions. */
function editDistance(one: string, other: string): number {
  const rows: number[][] = [Array.from({ length: other.length + 1 }, (_, index) => index)];
  const at = (row: number, column: number) => rows[row]?.[column] ?? 0;
  for (let row = 1; row <= one.length; row++) {
    const line = [row];
    rows.push(line);
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1];
      const isSwapped =
        row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      line.push(
        Math.min(
          at(row - 1, column) + 1,
          at(row, column - 1) + 1,
          at(row - 1, column - 1) + (isSame ? 0 : 1),
          isSwapped ? at(row - 2, column - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
  }
  return at(one.length, other.length);
}

/** Returns matches, best first. Stable for equal scores. */
export function bestMatches<Item>(typed: string, items: readonly Item[], textOf: (item: Item) => string): Item[] {
  return items
    .map((item) => ({ item, score: fuzzyScore(typed, textOf(item)) }))
    .filter(({ score }) => score > 0)
    .sort((first, second) => second.score - first.score)
    .map(({ item }) => item);
}
