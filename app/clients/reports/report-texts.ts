/** Formats the texts in a report. The figures are stored in the report, so they never change after sending. */
import { z } from 'zod';
import { METRIC_NAMES, METRICS } from '../../../supabase/functions/metrics.ts';
import { figuresSchema as summarisedFigures } from '../../../supabase/functions/report-summary/figures-schema.ts';
import { formatDay } from '../../ui/lib/zoned-times.ts';
import { phaseLabel } from '../clients.ts';
import { formatCount, formatPeriod } from '../figures/progress.ts';
import { formatDue } from '../figures/report.ts';
import { funnelSchema } from '../funnel/funnel-schema.ts';

export const figuresSchema = summarisedFigures.extend({
  client: z.object({ currency: z.string() }),
  /** Twelve weeks, oldest first. Missing in reports that were sent before this field was added. */
  weeks: z
    .array(z.object({ first_day: z.string(), figures: z.partialRecord(z.enum(METRIC_NAMES), z.number()) }))
    .default([]),
  /** Missing in reports that were sent before this field was added. */
  funnel: funnelSchema.optional(),
  imports: z.array(z.object({ id: z.string(), file: z.string(), hash: z.string().nullable(), at: z.string() })),
});

export type ReportFigures = z.output<typeof figuresSchema>;

interface ReportPeriod {
  span: string;
  first_day: string;
  last_day: string;
}

/** Formats a period, such as '16–22 November 2026' or 'November 2026'. */
export function formatReportPeriod({ span, first_day, last_day }: ReportPeriod): string {
  if (span === 'month') return formatDay(first_day, { month: 'long', year: 'numeric' });
  return formatPeriod({ first: first_day, last: last_day });
}

const resultSchema = summarisedFigures.shape.result;

/** Formats the main figures of a listed report, such as 'Meetings 7 · Replies 23 · Delivered 348'. */
export function formatResult(stored: unknown): string {
  const { data = [] } = resultSchema.safeParse(stored);
  return (['meetings', 'replies', 'delivered'] as const)
    .flatMap((name) => {
      const value = data.find(({ metric }) => metric === name)?.value ?? null;
      return value === null ? [] : [`${METRICS[name].label} ${formatCount(value)}`];
    })
    .join(' · ');
}

interface Lines {
  meetings: string | null;
  changes: string[];
  next: string[];
  requests: string[];
  imports: string[];
}

/** Formats each block of a report as lines. Due dates are relative to the end of its period. */
export function formatReportLines(figures: ReportFigures, { last_day }: ReportPeriod): Lines {
  return {
    meetings: formatMeetings(figures.meetings),
    changes: figures.changes.map(formatChange),
    next: figures.next.map(({ campaign, step, due_on }) => `${campaign}: ${step}${formatDue(due_on, last_day)}`),
    requests: figures.wishes.map((wish) => formatRequest(wish, last_day)),
    imports: figures.imports.map(({ file, at }) => `${file}, ${formatDay(at, { day: 'numeric', month: 'long' })}`),
  };
}

function formatMeetings({ held, no_show, booked, disputed }: ReportFigures['meetings']): string | null {
  const parts = [
    held > 0 && `${formatCount(held)} held`,
    no_show > 0 && `${formatCount(no_show)} no-shows`,
    booked > 0 && `${formatCount(booked)} upcoming`,
    disputed > 0 && `${formatCount(disputed)} disputed`,
  ].filter((part) => part !== false);
  return parts.length === 0 ? null : `Of these meetings: ${parts.join(', ')}.`;
}

/** Formats a change, such as 'Winter: Running' or '“First mail” was approved.' */
export function formatChange({ kind, name, detail }: ReportFigures['changes'][number]): string {
  switch (kind) {
    case 'text':
      return `“${name}” was approved${detail === 'changes' ? ' with changes' : ''}.`;
    case 'ended':
      return `${name}: ended`;
    case 'added':
      return `${name}: new, ${phaseLabel(detail).toLowerCase()}`;
    case 'phase':
      return `${name}: ${phaseLabel(detail)}`;
  }
}

function formatRequest({ kind, name, due_on }: ReportFigures['wishes'][number], today: string): string {
  switch (kind) {
    case 'text':
      return `Your approval of “${name}”${formatDue(due_on, today)}.`;
    case 'meetings':
      return formatAnswerRequest(Number(name));
    case 'goals':
      return 'Your monthly goals, so that we can measure our results against them.';
    case 'leave_alone':
      return 'The blocklist of companies and people that no campaign may contact.';
  }
}

/** Formats a request, such as 'Your answer to 2 meetings: were they held?' */
export function formatAnswerRequest(count: number): string {
  if (count === 1) return 'Your answer to one meeting: was it held?';
  return `Your answer to ${count} meetings: were they held?`;
}
