import { expect, test } from 'vitest';
import { type Fee, findFee, formatFee } from './fees.ts';

function fee(number: number, first_month: string, amount: number): Fee {
  return { number, first_month, amount, set_by: '', created_at: '2026-01-01T00:00:00Z' };
}

/** Fee changes in the order that the database returns them, latest first. */
const FEES = [fee(3, '2026-02-01', 3), fee(2, '2026-02-01', 2), fee(1, '2026-04-01', 1)];

test.each([
  ['2026-01-31', undefined],
  ['2026-02-01', 3],
  ['2026-03-31', 3],
  ['2026-04-01', 1],
])('The fee on %s is %s', (day, amount) => {
  expect(findFee(day, FEES)?.amount).toBe(amount);
});

test('An amount of 0 is shown as no fee', () => {
  expect(formatFee(fee(1, '2026-01-01', 30_000), 'NOK')).toBe('NOK 30,000 from January 2026');
  expect(formatFee(fee(1, '2026-01-01', 0), 'NOK')).toBe('No fee from January 2026');
});
