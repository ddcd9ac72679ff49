/** Columns of a file with figures. Only names that tools really give are taken; the person is asked about the rest. */
import { z } from 'zod';
import { METRIC_NAMES, METRICS, type Metric } from '../../../supabase/functions/metrics.ts';
import { type CsvTable, plainHeader } from '../../ui/lib/read-csv.ts';
import { startOfWeek } from '../../ui/lib/zoned-times.ts';
import { decimalSignOf, isCount } from './read-count.ts';
import { type DayOrder, isWeekText, ordersOf, readDay } from './read-day.ts';

/** Lines from which the columns are guessed. */
const SAMPLE = 500;

/** Questions about names of campaigns. More are a wrong column. */
export const MAX_UNKNOWN = 50;

/** Says which column is what. Columns count from 0. */
export const columnMapSchema = z.object({
  headers: z.array(z.string()),
  period: z.enum(['day', 'week']),
  day: z.number().nullable(),
  /** The order of dates such as 11/02/2026; null as long as nobody has said it. Others need none. */
  order: z.enum(['ymd', 'dmy', 'mdy']).nullable(),
  /** The column with the names of campaigns, or the id of the one campaign of the whole file. */
  campaign: z.union([z.number(), z.string()]).nullable(),
  /** By column; null for one that is left out. */
  metrics: z.array(z.enum(METRIC_NAMES).nullable()),
  /** By the plain name of a campaign that the client does not have. Null leaves its lines out. */
  names: z
    .record(
      z.string(),
      z
        .object({
          id: z.string(),
          /** Of a campaign that the import creates; null for an existing campaign. */
          creates: z.object({ name: z.string(), channel: z.string() }).nullable(),
        })
        .nullable(),
    )
    .default({}),
});

export type ColumnMap = z.output<typeof columnMapSchema>;

/** Names of the day's column as `plainHeader` writes them. */
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
 * Names of counts in exports of Smartlead, Instantly, lemlist, QuickMail, Apollo and HubSpot, and in Norwegian, Swedish, Danish
 * and German, without "total", "number of" and "count". Of several columns with one metric the first name here is taken.
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

/** 'replies' for "Total replies", reply_count and "# Replies". Signs such as % stay and match nothing. */
function countName(header: string): string {
  return plainHeader(header)
    .replace(/^#\s*/, '')
    .replace(/^(total|number of|no of|antall|antal|anzahl|totalt) /, '')
    .replace(/ (count|total|totalt)$/, '');
}

/** True for a line that names a campaign, a day or a week, and a count. */
export function isFigureHeader(cells: readonly string[]): boolean {
  const names = cells.map(plainHeader);
  const kinds = [
    names.some((name) => DAY_NAMES.has(name) || WEEK_NAMES.has(name)),
    names.some((name) => CAMPAIGN_NAMES.has(name)),
    cells.some((cell) => Object.values(COLUMN_NAMES).some((known) => known.includes(countName(cell)))),
  ];
  return kinds.filter(Boolean).length >= 2;
}

interface Context {
  campaigns: readonly { id: string }[];
  /** 1 for Monday to 7 for Sunday. */
  firstWeekday: number;
  timeZone: string;
}

/** Guesses what the columns are, and leaves open what the names and lines do not say. */
export function guessColumns({ headers, lines }: CsvTable, { campaigns, firstWeekday, timeZone }: Context): ColumnMap {
  const names = headers.map(plainHeader);
  const find = (known: ReadonlySet<string>) => {
    const column = names.findIndex((name) => known.has(name));
    return column < 0 ? null : column;
  };
  const sample = lines.slice(0, SAMPLE);
  const weekColumn = find(WEEK_NAMES);
  const day = find(DAY_NAMES) ?? weekColumn;
  const order = orderOf(lines, day);
  const texts = textsOf(sample, day).filter((text) => text !== '');
  const days = texts.flatMap((text) => readDay(text, { order: order === 'ymd' ? null : order, timeZone }) ?? []);
  const beginWeeks = days.length > 0 && days.every((read) => startOfWeek(read, firstWeekday) === read);
  const isWeekly =
    (day !== null && day === weekColumn) || texts.some(isWeekText) || (beginWeeks && new Set(days).size > 1);
  const only = campaigns.length === 1 ? campaigns[0]?.id : undefined;
  return {
    headers: [...headers],
    period: isWeekly ? 'week' : 'day',
    day,
    order,
    campaign: find(CAMPAIGN_NAMES) ?? only ?? null,
    metrics: guessMetrics(headers, sample),
    names: {},
  };
}

function guessMetrics(headers: readonly string[], sample: CsvTable['lines']): ColumnMap['metrics'] {
  const names = headers.map(countName);
  const metrics: ColumnMap['metrics'] = headers.map(() => null);
  for (const metric of METRIC_NAMES) {
    const columns = COLUMN_NAMES[metric].map((name) => names.indexOf(name)).filter((column) => column >= 0);
    const column = columns.find((at) =>
      holdsCounts(
        sample.map(({ cells }) => cells[at] ?? ''),
        metric,
      ),
    );
    if (column !== undefined) metrics[column] = metric;
  }
  return metrics;
}

/** False for a column of percentages or of fractions: it holds rates, whatever its name says. */
function holdsCounts(cells: readonly string[], metric: Metric): boolean {
  const values = cells.filter((text) => /\d/.test(text));
  const sign = decimalSignOf(values);
  return (
    METRICS[metric].unit === 'currency' || values.filter((text) => isCount(text, sign)).length >= values.length / 2
  );
}

/**
 * Returns the order of the dates that need one, if they say it: at least nine of ten dates with one possible order agree. Other
 * lines decide nothing. Null means that somebody has to say it; 'ymd' that no date needs it.
 */
export function orderOf(lines: CsvTable['lines'], day: number | null): ColumnMap['order'] {
  const orders = textsOf(lines, day)
    .map(ordersOf)
    .filter((found) => found.length > 0);
  if (orders.length === 0) return 'ymd';
  const only = (order: DayOrder) => orders.filter((found) => found.length === 1 && found[0] === order).length;
  const [dmy, mdy] = [only('dmy'), only('mdy')];
  if (dmy > 0 && dmy >= 9 * mdy) return 'dmy';
  return mdy > 0 && mdy >= 9 * dmy ? 'mdy' : null;
}

function textsOf(lines: CsvTable['lines'], day: number | null): string[] {
  return day === null ? [] : lines.map(({ cells }) => cells[day] ?? '');
}

/** Says what has to be chosen before the figures of a file can be read, or null. */
export function problemOf(
  { day, order, campaign, metrics, names }: ColumnMap,
  unknown: readonly string[],
): string | null {
  if (day === null) return 'Which column has the date? Choose it under “Date”.';
  if (order === null) {
    return 'Does the day or the month come first? The dates in this file can be read both ways. Choose it under “Days are written as”.';
  }
  if (campaign === null) return 'Which campaign is this? Choose its column, or the campaign of the whole file.';
  const chosen = metrics.filter((metric) => metric !== null);
  if (chosen.length === 0) return 'Which columns have figures? Choose what at least one of them counts.';
  const twice = chosen.find((metric, index) => chosen.indexOf(metric) !== index);
  if (twice) return `Two columns are ${METRICS[twice].label}. Leave one of them out.`;
  if (unknown.length > MAX_UNKNOWN) {
    return 'This file names more than 50 campaigns that this client does not have. Check the column of the campaign.';
  }
  const open = unknown.filter((name) => names[name] === undefined).length;
  if (open === 0) return null;
  return open === 1
    ? 'Answer the question about a campaign first.'
    : `Answer the questions about ${open} campaigns first.`;
}
