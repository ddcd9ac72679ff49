/** Weekly or monthly report of a client, computed from sums of figures. Days are dates in the client's time zone. */

import { GOAL_METRICS, type Metric } from '../../../supabase/functions/metrics.ts';
import { formatDate } from '../../ui/lib/format-date.ts';
import { addDays, formatDay, startOfWeek } from '../../ui/lib/zoned-times.ts';
import {
  type Calendar,
  formatPeriod,
  type Goals,
  monthOf,
  type Period,
  type Sum,
  todayOf,
  weekOf,
} from './progress.ts';

/** Number of periods to choose from. */
const CHOICES = { week: 12, month: 12 } as const;

export type Span = keyof typeof CHOICES;

interface Choice extends Period {
  /** For example '16–22 November 2026' or 'November 2026'. */
  label: string;
}

/** Lists the current period and the latest completed periods. `now` is a timestamp. */
export function choicesOf(span: Span, calendar: Calendar, now: string): Choice[] {
  const periods: Choice[] = [];
  let day = todayOf(calendar, now);
  while (periods.length < CHOICES[span]) {
    const period = span === 'week' ? weekOf(day, calendar) : monthOf(day);
    const label = span === 'week' ? formatPeriod(period) : formatDay(period.first, { month: 'long', year: 'numeric' });
    periods.push({ ...period, label: periods.length === 0 ? `${label}, so far` : label });
    day = addDays(period.first, -1);
  }
  return periods;
}

/** Returns the previous period of the same span. */
export function periodBefore(span: Span, { first }: Period): Period {
  return span === 'week' ? { first: addDays(first, -7), last: addDays(first, -1) } : monthOf(addDays(first, -1));
}

/** Returns the date range of the figures in a report: its weeks, the previous period, and the month of its goals. */
export function daysOfReport(span: Span, period: Period, calendar: Calendar): Period {
  const month = monthOf(period.first);
  const first = [...weeksOfReport(period, calendar), month.first, periodBefore(span, period).first].toSorted()[0];
  return { first: first ?? month.first, last: period.last > month.last ? period.last : month.last };
}

/** First days of the twelve weeks up to the last week that ends within the period, as in private.report_weeks(). */
function weeksOfReport({ last }: Period, { first_weekday }: Calendar): string[] {
  const latest = startOfWeek(addDays(last, -6), first_weekday);
  return Array.from({ length: 12 }, (_, index) => addDays(latest, 7 * (index - 11)));
}

/** Sums each metric by week, for the chart of a report. */
export function sumsByWeek(sums: readonly Sum[], period: Period, calendar: Calendar) {
  return weeksOfReport(period, calendar).map((first_day) => {
    const figures: Partial<Record<Metric, number>> = {};
    for (const sum of sums) {
      if (sum.first_day < first_day || sum.first_day > addDays(first_day, 6)) continue;
      figures[sum.metric] = (figures[sum.metric] ?? 0) + sum.value;
    }
    return { first_day, figures };
  });
}

/**
 * Sums a metric over a period, or returns null if there are no figures. Weekly figures count on their first day. All
 * meetings are recorded, so a period with other figures and no meetings has 0.
 */
export function sumWithin(sums: readonly Sum[], metric: Metric, { first, last }: Period): number | null {
  const periodSums = sums.filter(({ first_day }) => first_day >= first && first_day <= last);
  const metricSums = periodSums.filter((sum) => sum.metric === metric);
  if (metricSums.length === 0) return metric === 'meetings' && periodSums.length > 0 ? 0 : null;
  return metricSums.reduce((total, { value }) => total + value, 0);
}

/** Lists the goals of the month with their progress. */
export function goalsOf(sums: readonly Sum[], goals: Goals, period: Period) {
  const month = monthOf(period.first);
  return GOAL_METRICS.toReversed().flatMap((metric) => {
    const goal = goals[`${metric}_goal`];
    if (goal === null) return [];
    return [{ metric, goal, value: sumWithin(sums, metric, month) ?? 0 }];
  });
}

/** Formats ', by 3 December 2026', or returns an empty string. Days are YYYY-MM-DD. */
export function formatDue(due: string | null, today: string): string {
  return due === null ? '' : `, ${due < today ? 'was due' : 'by'} ${formatDate(due)}`;
}
