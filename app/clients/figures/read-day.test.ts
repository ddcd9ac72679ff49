import { expect, test } from 'vitest';
import { isWeekText, possibleDayOrders, readDay } from './read-day.ts';

const parse = (text: string, order: 'dmy' | 'mdy' | null = null, timeZone = 'Europe/Oslo') =>
  readDay(text, { order, timeZone });

test.each([
  ['2026-11-16', '2026-11-16'],
  ['2026/11/16', '2026-11-16'],
  ['2026.11.16', '2026-11-16'],
  ['20261116', '2026-11-16'],
  ['2024-02-29', '2024-02-29'],
  ['16.11.2026', '2026-11-16'],
  ['6.1.2026', '2026-01-06'],
  ['16.11.26', '2026-11-16'],
  ['2 Nov 2026', '2026-11-02'],
  ['2. november 2026', '2026-11-02'],
  ['02-Nov-26', '2026-11-02'],
  ['Nov 2, 2026', '2026-11-02'],
  ['Monday, November 2nd, 2026', '2026-11-02'],
  ['2. mai 2026', '2026-05-02'],
  ['2 maj 2026', '2026-05-02'],
  ['2. März 2026', '2026-03-02'],
  ['2. Dez. 2026', '2026-12-02'],
  ['2. des. 2026', '2026-12-02'],
  ['2026-W45', '2026-11-02'],
  ['2026W45', '2026-11-02'],
  ['Week 45, 2026', '2026-11-02'],
  ['Uke 45 2026', '2026-11-02'],
  ['KW 45/2026', '2026-11-02'],
  ['2026-W53', '2026-12-28'],
  ['2026-W01', '2025-12-29'],
])('Reads %s as the day %s', (text, day) => {
  expect(parse(text)).toBe(day);
});

test.each([
  '2026-02-29',
  '26-11-16',
  '31.4.2026',
  '2026-W54',
  '2027-W53',
  'Total',
  '=NOW()',
  '12',
  '',
  '16',
  '2 Foo 2026',
])('Rejects %j as a date', (text) => {
  expect(parse(text, 'dmy')).toBeNull();
});

test('A date with slashes or dashes requires the order of day and month', () => {
  expect(parse('6/1/2026')).toBeNull();
  expect(parse('6/1/2026', 'mdy')).toBe('2026-06-01');
  expect(parse('6/1/2026', 'dmy')).toBe('2026-01-06');
  expect(parse('06-01-2026 10:30', 'dmy')).toBe('2026-01-06');
  expect(parse('11/16/26 9:05 PM', 'mdy')).toBe('2026-11-16');
  expect(parse('16/11/2026', 'mdy')).toBeNull();
});

test('A timestamp with an offset is converted to the time zone, except midnight in UTC, which is a plain date', () => {
  expect(parse('2026-11-16T23:30:00Z')).toBe('2026-11-17');
  expect(parse('2026-11-15T23:00:00.000Z')).toBe('2026-11-16');
  expect(parse('2026-11-16 23:30:00 UTC')).toBe('2026-11-17');
  expect(parse('2026-11-16 23:30:00+00')).toBe('2026-11-17');
  expect(parse('2026-11-17T01:30:00+0900')).toBe('2026-11-16');
  expect(parse('2026-11-16T23:30:00')).toBe('2026-11-16');
  expect(parse('2026-11-16T00:00:00.000Z', null, 'America/New_York')).toBe('2026-11-16');
  expect(parse('2026-11-16T03:00:00Z', null, 'America/New_York')).toBe('2026-11-15');
});

test('Lists the possible orders of day and month in a date', () => {
  expect(possibleDayOrders('11/02/2026')).toEqual(['dmy', 'mdy']);
  expect(possibleDayOrders('11/16/2026')).toEqual(['mdy']);
  expect(possibleDayOrders('16-11-2026')).toEqual(['dmy']);
  expect(possibleDayOrders('16-11-2026 08:00')).toEqual(['dmy']);
  expect(['11.02.2026', '2026-11-02', 'Total', '99/99/2026'].map(possibleDayOrders)).toEqual([[], [], [], []]);
});

test('Distinguishes a week from a day', () => {
  expect(['2026-W45', 'Week 45, 2026', '2026-11-16'].map(isWeekText)).toEqual([true, true, false]);
});
