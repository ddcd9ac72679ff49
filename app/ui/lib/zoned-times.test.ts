import { expect, test } from 'vitest';
import {
  formatDay,
  formatMoment,
  groupByDay,
  startOfWeek,
  timeOf,
  timesOfNextWeek,
  timesOnDifferentDays,
} from './zoned-times.ts';

test('Groups times by day in the given time zone', () => {
  const moments = ['2027-03-28T09:30:00Z', '2027-03-28T10:30:00Z', '2027-03-28T23:30:00Z'];
  expect([...groupByDay(moments, 'UTC').keys()]).toEqual(['2027-03-28']);
  expect([...groupByDay(moments, 'Pacific/Kiritimati').keys()]).toEqual(['2027-03-28', '2027-03-29']);
  expect([...groupByDay(moments, 'Europe/Oslo').keys()]).toEqual(['2027-03-28', '2027-03-29']);
  expect(timesOnDifferentDays(moments, 'Europe/Oslo', 2)).toEqual([moments[0], moments[2]]);
  // There are only two days.
  expect(timesOnDifferentDays(moments, 'Europe/Oslo', 3)).toEqual(moments);
});

test('Next week is the next calendar week in the time zone of the visitor', () => {
  const friday = '2026-11-27T12:00:00Z';
  const sunday = '2026-11-29T23:30:00Z';
  const monday = '2026-11-30T08:00:00Z';
  const weekAfter = '2026-12-07T08:00:00Z';
  const moments = ['2026-11-27T14:00:00Z', sunday, monday, weekAfter];
  expect(timesOfNextWeek(moments, 'UTC', friday)).toEqual([monday]);
  // Monday has begun in Oslo.
  expect(timesOfNextWeek(moments, 'Europe/Oslo', friday)).toEqual([sunday, monday]);
  expect(timesOfNextWeek(moments, 'Europe/Oslo', sunday)).toEqual([weekAfter]);
});

test('Adds the UTC offset to an hour that occurs twice on a day', () => {
  const repeatedHour = ['2027-10-31T00:00:00Z', '2027-10-31T01:00:00Z', '2027-10-31T02:00:00Z'];
  expect(repeatedHour.map((moment) => timeOf(moment, 'Europe/Oslo', repeatedHour))).toEqual([
    '02:00 GMT+2',
    '02:00 GMT+1',
    '03:00',
  ]);
});

test('Formats days and moments', () => {
  expect(startOfWeek('2026-11-22')).toBe('2026-11-16');
  expect(startOfWeek('2026-11-23')).toBe('2026-11-23');
  expect(startOfWeek('2026-11-23', 7)).toBe('2026-11-22');
  expect(startOfWeek('2026-11-22', 7)).toBe('2026-11-22');
  expect(formatDay('2026-11-24', { weekday: 'long' })).toBe('Tuesday');
  expect(formatMoment('2026-11-24T09:00:00+00:00', 'Europe/Oslo')).toBe('Tuesday 24 November 2026, 10:00');
});
