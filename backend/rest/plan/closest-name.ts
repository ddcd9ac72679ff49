/** The nearest of `names` by edit distance, for "Perhaps you meant" hints; null when none is at all alike. */
export function closestName(name: string, names: Iterable<string>, minScore = 0.6): string | null {
  let best: string | null = null;
  let bestScore = minScore;
  for (const candidate of names) {
    const length = Math.max(name.length, candidate.length);
    if (length > 200) continue;
    const score = 1 - editDistance(name.toLowerCase(), candidate.toLowerCase()) / length;
    if (score > bestScore && score < 1) {
      best = candidate;
      bestScore = score;
    }
  }
  return best;
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
