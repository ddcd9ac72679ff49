import { expect, test } from 'vitest';
import { formatDate } from './format-date.ts';

test.each([
  ['2026-11-19T23:00:00Z', '20 November 2026'],
  ['2026-11-19T22:59:00Z', '19 November 2026'],
  ['2026-06-30T22:30:00+00:00', '1 July 2026'],
  ['2026-11-19T23:00:00.123456+00:00', '20 November 2026'],
  ['2026-11-20', '20 November 2026'],
  ['2026-01-01', '1 January 2026'],
  ['no date', ''],
])('formats %s as %j', (date, words) => {
  expect(formatDate(date)).toBe(words);
});
