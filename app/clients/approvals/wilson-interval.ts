/** Standard score of a 95% confidence interval. */
const Z = 1.96;

/**
 * Wilson score interval of a rate at 95% confidence, between 0 and 1. Unlike a percentage, the interval shows the
 * uncertainty of small samples.
 * @param part number of successes, at most `whole`
 * @param whole number of trials, at least 1
 */
export function wilsonInterval(part: number, whole: number): { low: number; high: number } {
  const rate = part / whole;
  const center = rate + Z ** 2 / (2 * whole);
  const margin = Z * Math.sqrt((rate * (1 - rate)) / whole + Z ** 2 / (4 * whole ** 2));
  const scale = 1 + Z ** 2 / whole;
  return { low: Math.max(0, (center - margin) / scale), high: Math.min(1, (center + margin) / scale) };
}
