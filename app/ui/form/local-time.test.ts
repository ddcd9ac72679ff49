import { expect, test } from 'vitest';
import { fromLocalInput, toLocalInput } from './local-time.ts';

test.each([
  ['2026-11-19T23:00:00.000Z', 'Europe/Oslo', '2026-11-20T00:00'],
  ['2026-07-01T12:30:00.000Z', 'Europe/Oslo', '2026-07-01T14:30'],
  ['2026-03-29T01:00:00.000Z', 'Europe/Oslo', '2026-03-29T03:00'],
  ['2026-03-29T00:30:00.000Z', 'Europe/Oslo', '2026-03-29T01:30'],
  ['2026-01-01T02:00:00.000Z', 'America/New_York', '2025-12-31T21:00'],
  ['1950-06-01T12:00:00.000Z', 'UTC', '1950-06-01T12:00'],
])('Converts %s in %s to the input value %s and back', (instant, zone, local) => {
  expect(toLocalInput(instant, zone)).toBe(local);
  expect(fromLocalInput(local, zone)).toBe(instant);
});

test('treats an unsupported time zone as UTC', () => {
  expect(toLocalInput('2026-11-19T23:00:00Z', 'Etc/Nowhere')).toBe('2026-11-19T23:00');
  expect(fromLocalInput('2026-11-19T23:00', 'Etc/Nowhere')).toBe('2026-11-19T23:00:00.000Z');
});

test('uses the zone of the browser by default', () => {
  const local = toLocalInput('2026-11-19T23:00:00Z');
  expect(new Date(local).getTime()).toBe(Date.parse('2026-11-19T23:00:00Z'));
  expect(fromLocalInput(local)).toBe('2026-11-19T23:00:00.000Z');
});

test.each(['', 'no date', '2026-13-01T00:00'])('returns an empty text for %j', (text) => {
  expect(fromLocalInput(text)).toBe('');
  expect(toLocalInput(text)).toBe('');
});
