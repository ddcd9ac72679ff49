/**
 * Progress of a client, computed from sums of figures. Days are dates in the client's time zone, so clock changes have
 * no effect.
 */

import { type GoalField, HEADLINE_METRICS, hasGoal, type Metric } from '../../../supabase/functions/metrics.ts';
import { addDays, dayOf, formatDay, startOfWeek } from '../../ui/lib/zoned-times.ts';

const WEEKS = 12;

/** Date range. Both ends are included. */
export interface Period {
  first: string;
  last: string;
}

/** A metric's figure for a day or week, summed over campaigns. A weekly figure belongs to the first day of its week. */
export interface Sum {
  metric: Metric;
  first_day: string;
  value: number;
}

export interface Calendar {
  time_zone: string;
  /** 1 for Monday to 7 for Sunday. */
  first_weekday: number;
}

export interface WeekSum extends Period {
  value: number;
  /** False if there is no figure, as opposed to 0. */
  isKnown: boolean;
}

export interface Progress {
  /** Twelve weeks, oldest first, up to the latest week with a figure. Empty if there are no figures. */
  weeks: WeekSum[];
  month: Period & { value: number };
}

/** Returns the current date in the client's time zone. `now` is a timestamp. */
export function currentDate({ time_zone }: Calendar, now: string): string {
  return dayOf(now, time_zone);
}

export function getWeek(day: string, { first_weekday }: Calendar): Period {
  const first = startOfWeek(day, first_weekday);
  return { first, last: addDays(first, 6) };
}

export function getMonth(day: string): Period {
  const first = `${day.slice(0, 8)}01`;
  return { first, last: addDays(`${addDays(first, 31).slice(0, 8)}01`, -1) };
}

/** Returns the date range that `getProgress` needs: whole months that cover twice the number of weeks shown. */
export function progressDateRange(calendar: Calendar, now: string): Period {
  const today = currentDate(calendar, now);
  const week = getWeek(today, calendar);
  return { first: getMonth(addDays(week.first, -7 * (2 * WEEKS - 1))).first, last: week.last };
}

export type Goals = Record<GoalField, number | null>;

export function findGoal(metric: Metric, goals: Goals): number | null {
  return hasGoal(metric) ? goals[`${metric}_goal`] : null;
}

/**
 * Returns all headline metrics with figures or a goal, but at least three, in reverse order of `HEADLINE_METRICS`.
 */
export function pickHeadline(sums: readonly Sum[], goals: Goals): Metric[] {
  const metrics = HEADLINE_METRICS.toReversed();
  const isCounted = (metric: Metric) => sums.some((sum) => sum.metric === metric) || findGoal(metric, goals) !== null;
  const counted = metrics.filter(isCounted);
  const emptyMetrics = metrics.filter((metric) => !isCounted(metric));
  const shownMetrics = new Set([...counted, ...emptyMetrics.slice(0, Math.max(0, 3 - counted.length))]);
  return metrics.filter((metric) => shownMetrics.has(metric));
}

/**
 * Sums a metric by week and for this month. The last week is the latest week with a figure other than meetings, because
 * meetings are added as they are booked, before the week's other figures. Every meeting is recorded, so if a week has
 * other figures but no meetings, the number of meetings is 0.
 */
export function getProgress(sums: readonly Sum[], metric: Metric, calendar: Calendar, now: string): Progress {
  const today = currentDate(calendar, now);
  const month = getMonth(today);
  const metricSums = sums.filter((sum) => sum.metric === metric);
  const latest = latestDay(sums.filter((sum) => sum.metric !== 'meetings')) || latestDay(sums);
  const monthSum = { ...month, value: total(sumsInPeriod(metricSums, month)) };
  if (latest === '') return { weeks: [], month: monthSum };
  const end = getWeek(latest, calendar).first;
  const weeks = Array.from({ length: WEEKS }, (_, index) => {
    const week = getWeek(addDays(end, -7 * (WEEKS - 1 - index)), calendar);
    const weekSums = sumsInPeriod(metricSums, week);
    const isKnown = metric === 'meetings' ? sumsInPeriod(sums, week).length > 0 : weekSums.length > 0;
    return { ...week, value: total(weekSums), isKnown };
  });
  return { weeks, month: monthSum };
}

function latestDay(sums: readonly Sum[]): string {
  return sums.reduce((day, { first_day }) => (first_day > day ? first_day : day), '');
}

function sumsInPeriod(sums: readonly Sum[], { first, last }: Period): Sum[] {
  return sums.filter(({ first_day }) => first_day >= first && first_day <= last);
}

function total(sums: readonly Sum[]): number {
  return sums.reduce((sum, { value }) => sum + value, 0);
}

/** Formats a week relative to today, such as 'This week', 'Last week' or 'Week of 2 November'. */
export function formatWeek({ first }: Period, today: string, calendar: Calendar): string {
  const current = getWeek(today, calendar).first;
  if (first === current) return 'This week';
  if (first === addDays(current, -7)) return 'Last week';
  return `Week of ${formatDay(first, { day: 'numeric', month: 'long' })}`;
}

/** Formats the latest weekly change, such as '+3' and 'vs. week before'. The amount is empty without a change. */
export function formatChange({ weeks }: Progress): { amount: string; text: string } {
  const [before, latest] = weeks.slice(-2);
  if (!latest?.isKnown) return { amount: '', text: 'No figures yet' };
  if (!before?.isKnown) return { amount: '', text: 'No figures for the week before' };
  const change = latest.value - before.value;
  if (change === 0) return { amount: '', text: 'Same as week before' };
  return { amount: `${change > 0 ? '+' : '−'}${formatCount(Math.abs(change))}`, text: 'vs. week before' };
}

/** Formats goal progress, such as '12 of 20 in Nov'. */
export function formatGoal({ month }: Progress, goal: number): string {
  return `${formatCount(month.value)} of ${formatCount(goal)} in ${formatDay(month.first, { month: 'short' })}`;
}

/** Formats a date range, such as '16–22 November 2026' or '28 September – 4 October 2026'. */
export function formatPeriod({ first, last }: Period): string {
  const end = formatDay(last, { day: 'numeric', month: 'long', year: 'numeric' });
  if (first === last) return end;
  if (first.slice(0, 7) === last.slice(0, 7)) return `${Number(first.slice(8))}–${end}`;
  return `${formatDay(first, { day: 'numeric', month: 'long' })} – ${end}`;
}

/** Formats a day as '6 Nov', or as '6 Nov 2027' if its year is not that of `today`. */
export function formatShortDay(day: string, today: string): string {
  const isThisYear = day.slice(0, 4) === today.slice(0, 4);
  return formatDay(day, { day: 'numeric', month: 'short', ...(!isThisYear && { year: 'numeric' }) });
}

const count = new Intl.NumberFormat('en-GB');

/** Formats a number as '12,345'. */
export function formatCount(value: number): string {
  return count.format(value);
}

/**
 * Formats a part of a whole as '0.49%', '7.5%' or '17%'. Never rounds up to 100%, which would suggest that nothing is
 * missing.
 */
export function formatShare(part: number, whole: number): string {
  const share = part / whole;
  const rounded = share < 1 ? Math.min(share, 0.99) : share;
  const digits = share < 0.1 ? { maximumSignificantDigits: 2 } : { maximumFractionDigits: 0 };
  return rounded.toLocaleString('en-GB', { style: 'percent', ...digits });
}
