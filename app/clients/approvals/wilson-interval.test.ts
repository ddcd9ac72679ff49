import { expect, test } from 'vitest';
import { wilsonInterval } from './wilson-interval.ts';

// Values of the R function binom::binom.confint(method = "wilson").
test.each([
  [31, 412, 0.0535, 0.1048],
  [0, 200, 0, 0.0188],
  [200, 200, 0.9812, 1],
  [1, 10, 0.0179, 0.4042],
])('The interval for %i of %i is %d to %d', (part, whole, low, high) => {
  const interval = wilsonInterval(part, whole);
  expect(interval.low).toBeCloseTo(low, 4);
  expect(interval.high).toBeCloseTo(high, 4);
});
