import { expect, test } from 'vitest';
import { formatDate, formatDayOf } from './format-date.ts';

test.each([
  ['2026-11-20', '20 November 2026'],
  ['2026-01-01', '1 January 2026'],
  ['no date', ''],
])('formats the day %s as %j', (day, text) => {
  expect(formatDate(day)).toBe(text);
});

test.each([
  ['2026-11-19T23:00:00Z', 'Europe/Oslo', '20 November 2026'],
  ['2026-11-19T22:59:00Z', 'Europe/Oslo', '19 November 2026'],
  ['2026-06-30T22:30:00+00:00', 'Europe/Oslo', '1 July 2026'],
  ['2026-11-19T23:00:00.123456+00:00', 'Europe/Oslo', '20 November 2026'],
  ['2026-11-19T23:00:00Z', 'America/New_York', '19 November 2026'],
  ['2026-11-19T23:00:00Z', 'Not/A_Zone', '19 November 2026'],
  ['no date', 'Europe/Oslo', ''],
])('formats the day of %s in %s as %j', (moment, zone, text) => {
  expect(formatDayOf(moment, zone)).toBe(text);
});
