/** Weekly or monthly report of a client, computed from sums of figures. Days are dates in the client's time zone. */

import { GOAL_METRICS, METRICS, type Metric } from '../../../supabase/functions/metrics.ts';
import { formatDate } from '../../ui/lib/format-date.ts';
import { addDays, formatDay } from '../../ui/lib/zoned-times.ts';
import {
  type Calendar,
  formatCount,
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
  /** Label such as '16–22 November 2026' or 'November 2026'. */
  words: string;
}

/** Lists the current period and the latest completed periods. `now` is a timestamp. */
export function choicesOf(span: Span, calendar: Calendar, now: string): Choice[] {
  const periods: Choice[] = [];
  let day = todayOf(calendar, now);
  while (periods.length < CHOICES[span]) {
    const period = span === 'week' ? weekOf(day, calendar) : monthOf(day);
    const label = span === 'week' ? formatPeriod(period) : formatDay(period.first, { month: 'long', year: 'numeric' });
    periods.push({ ...period, words: periods.length === 0 ? `${label}, so far` : label });
    day = addDays(period.first, -1);
  }
  return periods;
}

/** Previous period of the same span. */
export function periodBefore(span: Span, { first }: Period): Period {
  return span === 'week' ? { first: addDays(first, -7), last: addDays(first, -1) } : monthOf(addDays(first, -1));
}

/** Date range of the figures that a report needs: its period, the previous period, and the month of its goals. */
export function daysOfReport(span: Span, period: Period): Period {
  const month = monthOf(period.first);
  const before = periodBefore(span, period);
  return {
    first: before.first < month.first ? before.first : month.first,
    last: period.last > month.last ? period.last : month.last,
  };
}

/**
 * Sums a metric over a period. Null without figures. Weekly figures count on their first day. All meetings are
 * recorded, so a period with other figures and no meetings has 0.
 */
export function sumWithin(sums: readonly Sum[], metric: Metric, { first, last }: Period): number | null {
  const periodSums = sums.filter(({ first_day }) => first_day >= first && first_day <= last);
  const metricSums = periodSums.filter((sum) => sum.metric === metric);
  if (metricSums.length === 0) return metric === 'meetings' && periodSums.length > 0 ? 0 : null;
  return metricSums.reduce((total, { value }) => total + value, 0);
}

/** Line such as 'Meetings: 12 of 20 for November, 60%' for each goal. */
export function goalLines(sums: readonly Sum[], goals: Goals, period: Period): string[] {
  const month = monthOf(period.first);
  return GOAL_METRICS.toReversed().flatMap((metric) => {
    const goal = goals[`${metric}_goal`];
    if (goal === null) return [];
    return [formatGoal(METRICS[metric].label, { goal, value: sumWithin(sums, metric, month) ?? 0 }, month)];
  });
}

/** Formats 'Meetings: 12 of 20 for November, 60%'. */
export function formatGoal(label: string, { goal, value }: { goal: number; value: number }, month: Period): string {
  const name = formatDay(month.first, { month: 'long' });
  return `${label}: ${formatCount(value)} of ${formatCount(goal)} for ${name}, ${Math.floor((value / goal) * 100)}%`;
}

/** Formats ', by 3 December 2026', or returns an empty string. Days are YYYY-MM-DD. */
export function formatDue(due: string | null, today: string): string {
  return due === null ? '' : `, ${due < today ? 'was due' : 'by'} ${formatDate(due)}`;
}
