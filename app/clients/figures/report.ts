/** Weekly or monthly report of a client, computed from sums of figures. Days are dates in the client's time zone. */

import { GOAL_METRICS, type Metric } from '../../../supabase/functions/metrics.ts';
import { formatDate } from '../../ui/lib/format-date.ts';
import { addDays, formatDay, startOfWeek } from '../../ui/lib/zoned-times.ts';
import {
  type Calendar,
  currentDate,
  formatPeriod,
  type Goals,
  getMonth,
  getWeek,
  type Period,
  type Sum,
} from './progress.ts';

/** Number of periods to choose from. */
const PERIOD_COUNTS = { week: 12, month: 12 } as const;

export type Span = keyof typeof PERIOD_COUNTS;

interface PeriodOption extends Period {
  /** For example '16–22 November 2026' or 'November 2026'. */
  label: string;
}

/** Lists the current period and the latest completed periods. `now` is a timestamp. */
export function periodOptions(span: Span, calendar: Calendar, now: string): PeriodOption[] {
  const periods: PeriodOption[] = [];
  let day = currentDate(calendar, now);
  while (periods.length < PERIOD_COUNTS[span]) {
    const period = span === 'week' ? getWeek(day, calendar) : getMonth(day);
    const label = span === 'week' ? formatPeriod(period) : formatDay(period.first, { month: 'long', year: 'numeric' });
    periods.push({ ...period, label: periods.length === 0 ? `${label}, so far` : label });
    day = addDays(period.first, -1);
  }
  return periods;
}

/** Returns the previous period of the same span. */
export function periodBefore(span: Span, { first }: Period): Period {
  return span === 'week' ? { first: addDays(first, -7), last: addDays(first, -1) } : getMonth(addDays(first, -1));
}

/** Returns the date range of a report's figures: its weeks, the previous period and the month of its goals. */
export function reportDateRange(span: Span, period: Period, calendar: Calendar): Period {
  const month = getMonth(period.first);
  const first = [...reportWeeks(period, calendar), month.first, periodBefore(span, period).first].toSorted()[0];
  return { first: first ?? month.first, last: period.last > month.last ? period.last : month.last };
}

/** First days of the twelve weeks up to the last week that ends within the period, as in private.report_weeks(). */
function reportWeeks({ last }: Period, { first_weekday }: Calendar): string[] {
  const latest = startOfWeek(addDays(last, -6), first_weekday);
  return Array.from({ length: 12 }, (_, index) => addDays(latest, 7 * (index - 11)));
}

/** Sums each metric by week, for the chart of a report. */
export function sumsByWeek(sums: readonly Sum[], period: Period, calendar: Calendar) {
  return reportWeeks(period, calendar).map((first_day) => {
    const figures: Partial<Record<Metric, number>> = {};
    for (const sum of sums) {
      if (sum.first_day < first_day || sum.first_day > addDays(first_day, 6)) continue;
      figures[sum.metric] = (figures[sum.metric] ?? 0) + sum.value;
    }
    return { first_day, figures };
  });
}

/**
 * Sums a metric over a period, or returns null without figures. A weekly figure belongs to the first day of its week.
 * Every meeting is recorded, so if a period has other figures but no meetings, the sum of meetings is 0, not null.
 */
export function sumWithin(sums: readonly Sum[], metric: Metric, { first, last }: Period): number | null {
  const periodSums = sums.filter(({ first_day }) => first_day >= first && first_day <= last);
  const metricSums = periodSums.filter((sum) => sum.metric === metric);
  if (metricSums.length === 0) return metric === 'meetings' && periodSums.length > 0 ? 0 : null;
  return metricSums.reduce((total, { value }) => total + value, 0);
}

/** Lists the month's goals with their progress. */
export function listGoals(sums: readonly Sum[], goals: Goals, period: Period) {
  const month = getMonth(period.first);
  return GOAL_METRICS.toReversed().flatMap((metric) => {
    const goal = goals[`${metric}_goal`];
    if (goal === null) return [];
    return [{ metric, goal, value: sumWithin(sums, metric, month) ?? 0 }];
  });
}

/** Formats a due date, for example ', by 3 December 2026' or ', was due 3 December 2026'. Returns '' for null. */
export function formatDue(due: string | null, today: string): string {
  return due === null ? '' : `, ${due < today ? 'was due' : 'by'} ${formatDate(due)}`;
}
