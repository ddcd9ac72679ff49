import { expect, test } from 'vitest';
import { GOAL_FIELDS, type Metric } from '../../../supabase/functions/metrics.ts';
import { recordOf } from '../../ui/lib/keys-of.ts';
import { addDays } from '../../ui/lib/zoned-times.ts';
import {
  currentDate,
  formatChange,
  formatGoal,
  formatPeriod,
  formatShare,
  formatWeek,
  getMonth,
  getProgress,
  getWeek,
  pickHeadline,
  progressDateRange,
  type Sum,
} from './progress.ts';

const OSLO = { time_zone: 'Europe/Oslo', first_weekday: 1 };
const SHANGHAI = { time_zone: 'Asia/Shanghai', first_weekday: 7 };
const LOS_ANGELES = { time_zone: 'America/Los_Angeles', first_weekday: 7 };

const NO_GOALS = recordOf(GOAL_FIELDS, () => null);

const EVERY_DAY = Array.from(
  { length: 800 },
  (_, index): Sum => ({
    metric: 'meetings',
    first_day: addDays('2025-06-01', index),
    value: 1,
  }),
);

test.each([
  // One minute before midnight and midnight, on days when clocks change.
  [OSLO, '2026-03-29T21:59:00Z', '2026-03-29', '2026-03-23'],
  [OSLO, '2026-03-29T22:00:00Z', '2026-03-30', '2026-03-30'],
  [OSLO, '2026-10-25T22:59:00Z', '2026-10-25', '2026-10-19'],
  [OSLO, '2026-10-25T23:00:00Z', '2026-10-26', '2026-10-26'],
  [LOS_ANGELES, '2026-03-08T07:59:00Z', '2026-03-07', '2026-03-01'],
  [LOS_ANGELES, '2026-03-08T08:00:00Z', '2026-03-08', '2026-03-08'],
  [LOS_ANGELES, '2026-11-01T06:59:00Z', '2026-10-31', '2026-10-25'],
  [LOS_ANGELES, '2026-11-01T07:00:00Z', '2026-11-01', '2026-11-01'],
  [LOS_ANGELES, '2026-11-08T08:00:00Z', '2026-11-08', '2026-11-08'],
  [SHANGHAI, '2026-03-28T15:59:00Z', '2026-03-28', '2026-03-22'],
  [SHANGHAI, '2026-03-28T16:00:00Z', '2026-03-29', '2026-03-29'],
])('In the calendar %o, %s is on %s in the week of %s', (calendar, now, today, week) => {
  expect(currentDate(calendar, now)).toBe(today);
  expect(getWeek(today, calendar)).toEqual({ first: week, last: addDays(week, 6) });
});

test.each([OSLO, SHANGHAI, LOS_ANGELES])('Every week of %o has seven days across both clock changes', (calendar) => {
  for (const now of ['2026-04-05T12:00:00Z', '2026-11-14T12:00:00Z', '2027-01-03T12:00:00Z']) {
    const { first, last } = progressDateRange(calendar, now);
    const sums = EVERY_DAY.filter(({ first_day }) => first_day >= first && first_day <= last);
    const { weeks } = getProgress(sums, 'meetings', calendar, now);
    expect(weeks.map(({ value }) => value)).toEqual(Array(12).fill(7));
    weeks.slice(1).forEach((week, index) => {
      expect(week.first).toBe(addDays(weeks[index]?.last ?? '', 1));
    });
  }
});

test('Months have the correct number of days, including February of a leap year', () => {
  expect(getMonth('2028-02-10')).toEqual({ first: '2028-02-01', last: '2028-02-29' });
  expect(getMonth('2026-12-31')).toEqual({ first: '2026-12-01', last: '2026-12-31' });
  expect(getMonth('2026-01-31')).toEqual({ first: '2026-01-01', last: '2026-01-31' });
});

test('Shows the latest week with figures, and counts each week in the month of its first day', () => {
  const sums: Sum[] = [
    { metric: 'meetings', first_day: '2026-10-26', value: 4 },
    { metric: 'meetings', first_day: '2026-11-09', value: 2 },
    { metric: 'meetings', first_day: '2026-11-16', value: 5 },
    { metric: 'replies', first_day: '2026-11-16', value: 9 },
  ];
  const now = '2026-11-23T12:00:00Z';
  const progress = getProgress(sums, 'meetings', OSLO, now);
  expect(progress.weeks.at(-1)).toEqual({ first: '2026-11-16', last: '2026-11-22', value: 5, isKnown: true });
  expect(progress.weeks.at(-3)).toMatchObject({ value: 0, isKnown: false });
  expect(progress.month).toEqual({ first: '2026-11-01', last: '2026-11-30', value: 7 });
  expect(formatChange(progress)).toEqual({ amount: '+3', text: 'vs. week before' });
  expect(formatGoal(progress, 20)).toBe('7 of 20 in Nov');
  const changeTo = (value: number) => {
    const latest: Sum = { metric: 'meetings', first_day: '2026-11-16', value };
    return formatChange(getProgress([...sums.slice(0, 2), latest], 'meetings', OSLO, now));
  };
  expect(changeTo(1)).toEqual({ amount: '−1', text: 'vs. week before' });
  expect(changeTo(2)).toEqual({ amount: '', text: 'Same as week before' });
  const textOf = (metric: Metric) => formatChange(getProgress(sums, metric, OSLO, now));
  expect(textOf('replies')).toEqual({ amount: '', text: 'No figures for the week before' });
  expect(textOf('delivered')).toEqual({ amount: '', text: 'No figures yet' });
  const later: Sum[] = [...sums, { metric: 'replies', first_day: '2026-11-23', value: 1 }];
  const latestWeek = getProgress(later, 'meetings', OSLO, now).weeks.at(-1);
  // Every meeting is recorded, so if a week has other figures but no meetings, the number of meetings is 0.
  expect(latestWeek).toMatchObject({ first: '2026-11-23', value: 0, isKnown: true });
  // A meeting booked before the figures of its week are imported does not hide the previous week.
  const booked: Sum[] = [...sums, { metric: 'meetings', first_day: '2026-11-23', value: 1 }];
  expect(getProgress(booked, 'meetings', OSLO, now).weeks.at(-1)).toMatchObject({ first: '2026-11-16', value: 5 });
  expect(getProgress(booked, 'meetings', OSLO, now).month.value).toBe(8);
  expect(getProgress(booked.slice(-1), 'meetings', OSLO, now).weeks.at(-1)).toMatchObject({ value: 1, isKnown: true });
  expect(getProgress([], 'meetings', OSLO, now).weeks).toEqual([]);
});

test('The headline shows the metrics with figures or a goal, and at least three metrics', () => {
  const sums = (...metrics: Metric[]) => metrics.map((metric) => ({ metric, first_day: '2026-11-16', value: 1 }));
  expect(pickHeadline(sums('sent', 'replies', 'meetings'), NO_GOALS)).toEqual(['meetings', 'replies', 'sent']);
  expect(pickHeadline(sums('sent', 'delivered', 'replies', 'meetings'), NO_GOALS)).toHaveLength(4);
  expect(pickHeadline(sums('sent'), { ...NO_GOALS, delivered_goal: 9 })).toEqual(['meetings', 'delivered', 'sent']);
  expect(pickHeadline([], NO_GOALS)).toEqual(['meetings', 'replies', 'delivered']);
});

test('Formats weeks and periods', () => {
  const week = (first: string) => ({ first, last: addDays(first, 6) });
  expect(formatWeek(week('2026-11-23'), '2026-11-23', OSLO)).toBe('This week');
  expect(formatWeek(week('2026-11-16'), '2026-11-23', OSLO)).toBe('Last week');
  expect(formatWeek(week('2026-11-02'), '2026-11-23', OSLO)).toBe('Week of 2 November');
  expect(formatPeriod(week('2026-11-16'))).toBe('16–22 November 2026');
  expect(formatPeriod(week('2026-09-28'))).toBe('28 September – 4 October 2026');
  expect(formatPeriod({ first: '2026-11-16', last: '2026-11-16' })).toBe('16 November 2026');
});

test.each([
  [3, 18, '17%'],
  [6, 1234, '0.49%'],
  [997, 1000, '99%'],
  [20, 20, '100%'],
  [25, 20, '125%'],
  [1234, 1000, '123%'],
])('Formats %i of %i as %s', (part, whole, text) => {
  expect(formatShare(part, whole)).toBe(text);
});
