/**
 * Detects the columns in files with figures. Recognises only column names that real tools use. The user maps other
 * columns.
 */
import { z } from 'zod';
import { METRIC_NAMES, METRICS, type Metric } from '../../../supabase/functions/metrics.ts';
import { type CsvTable, plainHeader } from '../../ui/lib/read-csv.ts';
import { startOfWeek } from '../../ui/lib/zoned-times.ts';
import { detectDecimalSign, isCount } from './read-count.ts';
import { type DayOrder, isWeekText, possibleDayOrders, readDay } from './read-day.ts';

/** Number of lines that are sampled for detection. */
const SAMPLE_SIZE = 500;

/** Maximum number of unknown campaign names. A higher number suggests that the wrong column was chosen. */
export const MAX_UNKNOWN = 50;

/** Column mapping. Columns are numbered from 0. */
export const columnMapSchema = z.object({
  headers: z.array(z.string()),
  period: z.enum(['day', 'week']),
  day: z.number().nullable(),
  /** Order of day and month in ambiguous dates such as 11/02/2026. Null until chosen. */
  order: z.enum(['ymd', 'dmy', 'mdy']).nullable(),
  /** Column with campaign names, or the id of the only campaign. */
  campaign: z.union([z.number(), z.string()]).nullable(),
  /** Metric of each column. Null to skip the column. */
  metrics: z.array(z.enum(METRIC_NAMES).nullable()),
  /** Choices for unknown campaigns, by normalised name. Null skips the lines of the campaign. */
  names: z
    .record(
      z.string(),
      z
        .object({
          id: z.string(),
          /** Campaign to create. Null for an existing campaign. */
          creates: z.object({ name: z.string(), channel: z.string() }).nullable(),
        })
        .nullable(),
    )
    .default({}),
});

export type ColumnMap = z.output<typeof columnMapSchema>;

/** Names of date columns, normalised by `plainHeader`. */
const DAY_NAMES = new Set([
  ...[
    'date',
    'day',
    'period',
    'report date',
    'stats date',
    'stat date',
    'sent date',
    'send date',
    'date sent',
    'sent at',
  ],
  ...['timestamp', 'activity date', 'dato', 'dag', 'datum', 'tag', 'periode', 'fra dato', 'start date'],
]);

const WEEK_NAMES = new Set([
  ...['week', 'week of', 'week start', 'week starting', 'week start date', 'week begin', 'week beginning', 'iso week'],
  ...['week commencing', 'uke', 'uke fra', 'vecka', 'uge', 'woche', 'kalenderwoche', 'kw'],
]);

const CAMPAIGN_NAMES = new Set([
  ...['campaign', 'campaign name', 'campaigns', 'sequence', 'sequence name', 'cadence', 'cadence name'],
  ...['kampanje', 'kampanjenavn', 'kampanj', 'kampanjnamn', 'kampagne', 'kampagnenavn', 'kampagnenname'],
  ...['sekvens', 'sekvensnavn', 'sequenz'],
]);

/**
 * Metric names in exports from Smartlead, Instantly, lemlist, QuickMail, Apollo and HubSpot. Includes Norwegian,
 * Swedish, Danish and German names. "total", "number of" and "count" are omitted. If several columns match a metric,
 * the first name listed here is used.
 */
const COLUMN_NAMES: Record<Metric, readonly string[]> = {
  sent: [
    ...['sent', 'emails sent', 'email sent', 'sent emails', 'mails sent', 'messages sent', 'invitations sent'],
    ...['invites sent', 'connection requests sent', 'sendt', 'sendte', 'sendte e poster', 'e poster sendt'],
    ...['skickade', 'skickat', 'skickade mejl', 'skickade e postmeddelanden', 'sendte mails', 'afsendt', 'afsendte'],
    ...['gesendet', 'versendet', 'gesendete e mails', 'versendete e mails'],
  ],
  delivered: [
    ...['delivered', 'emails delivered', 'delivered emails', 'messages delivered', 'levert', 'leverte', 'levererade'],
    ...['levererat', 'leveret', 'leverede', 'zugestellt', 'zugestellte e mails'],
  ],
  bounced: [
    ...['bounced', 'bounces', 'bounce', 'emails bounced', 'bounced emails', 'returnert', 'returnerte', 'i retur'],
    ...['studsade', 'studsar', 'returneret', 'returnerede', 'unzustellbar', 'zurückgekommen'],
  ],
  replies: [
    ...['replies', 'replied', 'reply', 'emails replied', 'responses', 'answers', 'answered', 'svar', 'besvart'],
    ...['besvarte', 'besvarade', 'besvaret', 'besvarede', 'antworten', 'beantwortet'],
  ],
  positive_replies: [
    ...['positive replies', 'positive reply', 'positive responses', 'positive', 'interested', 'interested replies'],
    ...['interested leads', 'leads interested', 'positive svar', 'positiva svar', 'interessert', 'interesserte'],
    ...['intresserade', 'interesserede', 'positive antworten', 'interessiert', 'interessenten'],
  ],
  meetings: [
    ...['meetings booked', 'meeting booked', 'booked meetings', 'meetings', 'meeting', 'booked', 'appointments'],
    ...['appointments booked', 'demos booked', 'bookede møter', 'møter booket', 'møter', 'bokade möten', 'möten'],
    ...['bookede møder', 'møder booket', 'møder', 'gebuchte termine', 'termine', 'vereinbarte termine'],
  ],
  pipeline: [
    ...['pipeline', 'pipeline value', 'opportunity value', 'opportunities value', 'pipelineverdi', 'pipelinevärde'],
    ...['pipelineværdi', 'pipelinewert'],
  ],
};

/**
 * Normalises a header, such as "Total replies", reply_count and "# Replies" to 'replies'. Keeps signs such as %, so
 * that columns with rates do not match.
 */
function normaliseMetricName(header: string): string {
  return plainHeader(header)
    .replace(/^#\s*/, '')
    .replace(/^(total|number of|no of|antall|antal|anzahl|totalt) /, '')
    .replace(/ (count|total|totalt)$/, '');
}

/** Returns true if the cells contain at least two of these headers: campaign, date or week, and metric. */
export function isFigureHeader(cells: readonly string[]): boolean {
  const names = cells.map(plainHeader);
  const kinds = [
    names.some((name) => DAY_NAMES.has(name) || WEEK_NAMES.has(name)),
    names.some((name) => CAMPAIGN_NAMES.has(name)),
    cells.some((cell) => Object.values(COLUMN_NAMES).some((known) => known.includes(normaliseMetricName(cell)))),
  ];
  return kinds.filter(Boolean).length >= 2;
}

interface Context {
  campaigns: readonly { id: string }[];
  /** 1 for Monday to 7 for Sunday. */
  firstWeekday: number;
  timeZone: string;
}

/** Guesses the column mapping and leaves ambiguous columns undecided. */
export function guessColumns({ headers, lines }: CsvTable, { campaigns, firstWeekday, timeZone }: Context): ColumnMap {
  const names = headers.map(plainHeader);
  const find = (known: ReadonlySet<string>) => {
    const column = names.findIndex((name) => known.has(name));
    return column < 0 ? null : column;
  };
  const sample = lines.slice(0, SAMPLE_SIZE);
  const weekColumn = find(WEEK_NAMES);
  const day = find(DAY_NAMES) ?? weekColumn;
  const order = detectDayOrder(lines, day);
  const texts = dayTexts(sample, day).filter((text) => text !== '');
  const days = texts.flatMap((text) => readDay(text, { order: order === 'ymd' ? null : order, timeZone }) ?? []);
  const allStartWeeks = days.length > 0 && days.every((date) => startOfWeek(date, firstWeekday) === date);
  const isWeekly =
    (day !== null && day === weekColumn) || texts.some(isWeekText) || (allStartWeeks && new Set(days).size > 1);
  const onlyCampaign = campaigns.length === 1 ? campaigns[0]?.id : undefined;
  return {
    headers: [...headers],
    period: isWeekly ? 'week' : 'day',
    day,
    order,
    campaign: find(CAMPAIGN_NAMES) ?? onlyCampaign ?? null,
    metrics: guessMetrics(headers, sample),
    names: {},
  };
}

function guessMetrics(headers: readonly string[], sample: CsvTable['lines']): ColumnMap['metrics'] {
  const names = headers.map(normaliseMetricName);
  const metrics: ColumnMap['metrics'] = headers.map(() => null);
  for (const metric of METRIC_NAMES) {
    const columns = COLUMN_NAMES[metric].map((name) => names.indexOf(name)).filter((column) => column >= 0);
    const column = columns.find((index) =>
      containsCounts(
        sample.map(({ cells }) => cells[index] ?? ''),
        metric,
      ),
    );
    if (column !== undefined) metrics[column] = metric;
  }
  return metrics;
}

/**
 * False if most values are percentages or fractions, because the column then contains rates regardless of its name.
 */
function containsCounts(cells: readonly string[], metric: Metric): boolean {
  const values = cells.filter((text) => /\d/.test(text));
  const sign = detectDecimalSign(values);
  return (
    METRICS[metric].unit === 'currency' || values.filter((text) => isCount(text, sign)).length >= values.length / 2
  );
}

/**
 * Detects the order of ambiguous dates. At least nine of ten unambiguous samples must agree. Otherwise returns null,
 * and the user must choose. Returns 'ymd' if no date is ambiguous.
 */
export function detectDayOrder(lines: CsvTable['lines'], day: number | null): ColumnMap['order'] {
  const orders = dayTexts(lines, day)
    .map(possibleDayOrders)
    .filter((candidates) => candidates.length > 0);
  if (orders.length === 0) return 'ymd';
  const count = (order: DayOrder) =>
    orders.filter((candidates) => candidates.length === 1 && candidates[0] === order).length;
  const [dmy, mdy] = [count('dmy'), count('mdy')];
  if (dmy > 0 && dmy >= 9 * mdy) return 'dmy';
  return mdy > 0 && mdy >= 9 * dmy ? 'mdy' : null;
}

function dayTexts(lines: CsvTable['lines'], day: number | null): string[] {
  return day === null ? [] : lines.map(({ cells }) => cells[day] ?? '');
}

/** Returns a message about the first problem in the mapping, or null if the file can be read. */
export function findMappingProblem(
  { day, order, campaign, metrics, names }: ColumnMap,
  unknown: readonly string[],
): string | null {
  if (day === null) return 'Choose the column with the date under “Date”.';
  if (order === null) {
    return 'The dates in this file can be read in two ways. Choose one under “Date format”.';
  }
  if (campaign === null) return 'Choose the column with the campaign, or one campaign for the whole file.';
  const chosen = metrics.filter((metric) => metric !== null);
  if (chosen.length === 0) return 'Choose a metric for at least one column.';
  const duplicate = chosen.find((metric, index) => chosen.indexOf(metric) !== index);
  if (duplicate) return `Two columns have the metric “${METRICS[duplicate].label}”. Do not import one of them.`;
  if (unknown.length > MAX_UNKNOWN) {
    return 'This file contains more than 50 unknown campaigns. Check the campaign column.';
  }
  const undecided = unknown.filter((name) => names[name] === undefined).length;
  if (undecided === 0) return null;
  return undecided === 1
    ? 'Choose what to do with the new campaign first.'
    : `Choose what to do with ${undecided} new campaigns first.`;
}
