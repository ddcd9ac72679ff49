/** Rates how well a text matches a query, with tolerance for typos. 0 means no match, and 1 means an exact match. */
export function fuzzyScore(query: string, text: string): number {
  const queryWords = splitWords(query);
  if (queryWords.length === 0) return 0;
  if (queryWords.join(' ') === splitWords(text).join(' ')) return 1;
  const words = splitWords(text);
  let sum = 0;
  for (const word of queryWords) {
    const bestScore = Math.max(0, ...words.map((candidate, index) => wordScore(word, candidate) - index / 1000));
    // Every word must match.
    if (bestScore <= 0) return 0;
    sum += bestScore;
  }
  return (sum / queryWords.length) * 0.99;
}

function wordScore(query: string, word: string): number {
  if (query === word) return 0.95;
  if (word.startsWith(query)) return 0.9;
  if (query.length > 2 && word.includes(query)) return 0.7;
  // Short words allow no typos, because a single typo often makes another word.
  const allowed = query.length < 4 ? 0 : query.length < 8 ? 1 : 2;
  if (allowed === 0) return 0;
  // The user may not have typed the whole word yet, so compare the query with prefixes of the word.
  const lengths = [word.length, query.length - 1, query.length, query.length + 1];
  const distance = Math.min(...lengths.map((length) => editDistance(query, word.slice(0, length))));
  return distance <= allowed ? 0.6 - distance / 10 : 0;
}

function splitWords(text: string): string[] {
  return (
    text
      .toLowerCase()
      .normalize('NFD')
      .replaceAll(/\p{M}/gu, '')
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}

/** Optimal string alignment distance: insertions, deletions, substitutions and transpositions. */
function editDistance(source: string, target: string): number {
  const rows: number[][] = [Array.from({ length: target.length + 1 }, (_, index) => index)];
  const distanceAt = (row: number, column: number) => rows[row]?.[column] ?? 0;
  for (let row = 1; row <= source.length; row++) {
    const distances = [row];
    rows.push(distances);
    for (let column = 1; column <= target.length; column++) {
      const isSame = source[row - 1] === target[column - 1];
      const isTransposition =
        row > 1 && column > 1 && source[row - 1] === target[column - 2] && source[row - 2] === target[column - 1];
      distances.push(
        Math.min(
          distanceAt(row - 1, column) + 1,
          distanceAt(row, column - 1) + 1,
          distanceAt(row - 1, column - 1) + (isSame ? 0 : 1),
          isTransposition ? distanceAt(row - 2, column - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
  }
  return distanceAt(source.length, target.length);
}

/** Returns matches, best first. Stable for equal scores. */
export function bestMatches<Item>(query: string, items: readonly Item[], getText: (item: Item) => string): Item[] {
  return items
    .map((item) => ({ item, score: fuzzyScore(query, getText(item)) }))
    .filter(({ score }) => score > 0)
    .sort((first, second) => second.score - first.score)
    .map(({ item }) => item);
}
