import { expect, test } from 'vitest';
import type { Sum } from './progress.ts';
import { listGoals, periodBefore, periodOptions, reportDateRange, sumsByWeek, sumWithin } from './report.ts';

const OSLO = { time_zone: 'Europe/Oslo', first_weekday: 1 };

test('Lists past weeks and months across a clock change and a new year', () => {
  const weeks = periodOptions('week', OSLO, '2026-10-25T22:59:00Z');
  expect(weeks.slice(0, 2).map(({ label }) => label)).toEqual(['19–25 October 2026, so far', '12–18 October 2026']);
  expect(periodOptions('week', OSLO, '2026-10-25T23:00:00Z')[0]?.first).toBe('2026-10-26');
  const months = periodOptions('month', OSLO, '2026-02-10T12:00:00Z');
  expect(months.slice(0, 3).map(({ label }) => label)).toEqual([
    'February 2026, so far',
    'January 2026',
    'December 2025',
  ]);
  expect(months).toHaveLength(12);
});

test('A report’s date range covers its weeks, the previous period and its month', () => {
  const week = { first: '2026-11-02', last: '2026-11-08' };
  expect(periodBefore('week', week)).toEqual({ first: '2026-10-26', last: '2026-11-01' });
  expect(reportDateRange('week', week, OSLO)).toEqual({ first: '2026-08-17', last: '2026-11-30' });
  const march = { first: '2028-03-01', last: '2028-03-31' };
  expect(periodBefore('month', march)).toEqual({ first: '2028-02-01', last: '2028-02-29' });
});

test('Sums a metric within a period and lists the progress of each goal', () => {
  const sums: Sum[] = [
    { metric: 'meetings', first_day: '2026-11-02', value: 4 },
    { metric: 'meetings', first_day: '2026-11-16', value: 5 },
  ];
  const week = { first: '2026-11-16', last: '2026-11-22' };
  expect(sumWithin(sums, 'meetings', week)).toBe(5);
  expect(sumWithin(sums, 'replies', week)).toBeNull();
  const goals = { meetings_goal: 20, replies_goal: null, delivered_goal: 1000 };
  expect(listGoals(sums, goals, week)).toEqual([
    { metric: 'meetings', goal: 20, value: 9 },
    { metric: 'delivered', goal: 1000, value: 0 },
  ]);
});

test('A monthly report’s chart ends with the last week that ends within the month', () => {
  const november = { first: '2026-11-01', last: '2026-11-30' };
  const sums: Sum[] = [
    { metric: 'replies', first_day: '2026-11-23', value: 4 },
    { metric: 'replies', first_day: '2026-11-29', value: 1 },
    { metric: 'replies', first_day: '2026-11-30', value: 9 },
  ];
  const weeks = sumsByWeek(sums, november, OSLO);
  expect(weeks).toHaveLength(12);
  expect(weeks[0]).toEqual({ first_day: '2026-09-07', figures: {} });
  expect(weeks[11]).toEqual({ first_day: '2026-11-23', figures: { replies: 5 } });
});
