import { expect, test } from 'vitest';
import { formatAgo } from './format-ago.ts';

const NOW = Date.parse('2026-11-28T12:00:00Z');

test.each([
  ['2026-11-28T12:00:30Z', 'just now'],
  ['2026-11-28T11:59:01Z', 'just now'],
  ['2026-11-28T11:54:30Z', '5 min ago'],
  ['2026-11-28T09:30:00Z', '2 hr ago'],
  ['2026-11-26T11:00:00Z', '2 days ago'],
])('formats %s as %s', (timestamp, text) => {
  expect(formatAgo(timestamp, NOW)).toBe(text);
});

test.each(['2026-11-21T11:00:00Z', '2026-11-28T12:02:00Z'])('formats %s as a date and time', (timestamp) => {
  expect(formatAgo(timestamp, NOW)).toMatch(/ Nov 2026, \d\d:\d\d$/);
});
