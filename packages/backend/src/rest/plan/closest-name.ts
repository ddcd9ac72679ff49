/**
 * Suggestions for "Perhaps you meant", as in PostgREST's fuzzy search. Candidates share three consecutive letters with
 * the requested name, or two if three yield no suggestion. The nearest candidate by edit distance is suggested if it is
 * similar enough.
 */
const GRAM_SIZES = [3, 2];
const MIN_SCORE = 0.33;
/** The comparison is quadratic in length, and names in Postgres have at most 63 bytes. */
const MAX_LENGTH = 200;

/** Returns the most similar of `names`, or null if no name is similar enough, or if `name` is one of them. */
export function closestName(name: string, names: Iterable<string>): string | null {
  const lowerName = name.toLowerCase();
  if (lowerName.length > MAX_LENGTH) return null;
  const candidates = [...names].filter((candidate) => candidate.length <= MAX_LENGTH);
  const exactMatch = candidates.find((candidate) => candidate.toLowerCase() === lowerName);
  if (exactMatch !== undefined) return candidates.includes(name) ? null : exactMatch;
  for (const size of GRAM_SIZES) {
    const grams = listGrams(lowerName, size);
    const similar = candidates.filter((candidate) =>
      listGrams(candidate.toLowerCase(), size).some((gram) => grams.includes(gram)),
    );
    const best = nearest(lowerName, similar);
    if (best !== null) return best;
  }
  return null;
}

function nearest(lowerName: string, candidates: readonly string[]): string | null {
  let best: string | null = null;
  let bestScore = MIN_SCORE;
  for (const candidate of candidates) {
    const score = 1 - editDistance(lowerName, candidate.toLowerCase()) / Math.max(lowerName.length, candidate.length);
    if (score > bestScore) {
      best = candidate;
      bestScore = score;
    }
  }
  return best;
}

/** Returns all substrings of `size` letters and digits, with a dash for the start and the end. */
function listGrams(text: string, size: number): string[] {
  const padded = `-${text.replace(/[^\p{L}\p{N} ,]/gu, '')}-`;
  return Array.from({ length: Math.max(0, padded.length - size + 1) }, (_, start) => padded.slice(start, start + size));
}

function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const substitution = (previous[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      current.push(Math.min(substitution, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[b.length] ?? 0;
}
