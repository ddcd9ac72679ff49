/** A CSV file with figures: what its columns are, and the figures in it. Nothing in it is carried out. */
import { z } from 'zod';
import { keysOf } from '../../lib/keys-of.ts';
import { type CsvLine, decodeCsv, readCsv } from '../../lib/read-csv.ts';
import { startOfWeek } from '../../lib/zoned-times.ts';
import { METRICS, type Metric, metricWord } from './metrics.ts';

const MAX_BYTES = 5 * 1024 * 1024;
const MAX_LINES = 20_000;
const MAX_FIGURES = 30_000;

export interface FigureFile {
  name: string;
  /** SHA-256 in hexadecimal digits. */
  hash: string;
  headers: string[];
  lines: CsvLine[];
}

/** Says which column is what. Columns count from 0. */
export const columnMapSchema = z.object({
  headers: z.array(z.string()),
  period: z.enum(['day', 'week']),
  day: z.number().nullable(),
  /** The order in which days are written: 2026-11-16, 16.11.2026 or 11/16/2026. */
  order: z.enum(['ymd', 'dmy', 'mdy']),
  /** The column with the names of campaigns, or the id of the one campaign of the whole file. */
  campaign: z.union([z.number(), z.string()]).nullable(),
  /** By column; null for one that is left out. */
  metrics: z.array(z.enum(keysOf(METRICS)).nullable()),
});

export type ColumnMap = z.output<typeof columnMapSchema>;

/**
 * Reads a file that somebody chose.
 * @throws Error with a sentence for people, when it is too large, no CSV, or not in UTF-8
 */
export async function readFigureFile(file: File): Promise<FigureFile> {
  // The browser hashes nothing on a site without TLS.
  if (!globalThis.crypto.subtle) throw new Error('Open this page over https to import a file.');
  if (file.size > MAX_BYTES) throw new Error('This file is larger than 5 MB. Split it and import the parts.');
  const bytes = await file.arrayBuffer();
  const [header, ...lines] = readCsv(decodeCsv(bytes));
  if (!header || lines.length === 0) throw new Error('This file has no line below its header.');
  if (lines.length > MAX_LINES) throw new Error('This file has more than 20,000 lines. Split it and import the parts.');
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  const hash = Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return { name: file.name.slice(-255), hash, headers: header.cells, lines };
}

/** In this order: positive replies before replies. */
const NAMES_OF_METRICS: readonly (readonly [Metric, RegExp])[] = [
  ['positive_replies', /positive|interested/],
  ['replies', /repl|answer|response/],
  ['bounced', /bounce/],
  ['delivered', /deliver/],
  ['meetings', /meeting|booked|appointment/],
  ['pipeline', /pipeline|opportunit.*value/],
  ['sent', /sent|invitations?$|contacted/],
];

interface Context {
  campaigns: readonly { id: string; name: string }[];
  /** 1 for Monday to 7 for Sunday. */
  firstWeekday: number;
}

/** Guesses what the columns of a file are, from their names and the first lines. */
export function guessColumns({ headers, lines }: FigureFile, { campaigns, firstWeekday }: Context): ColumnMap {
  const find = (name: RegExp) => {
    const column = headers.findIndex((header) => name.test(header.toLowerCase()));
    return column < 0 ? null : column;
  };
  const taken = new Set<Metric>();
  const metrics = headers.map((header) => {
    const name = header.toLowerCase();
    if (/rate|%|percent|pct|campaign|date|day|week/.test(name)) return null;
    const metric = NAMES_OF_METRICS.find(([, pattern]) => pattern.test(name))?.[0];
    if (!metric || taken.has(metric)) return null;
    taken.add(metric);
    return metric;
  });
  const day = find(/^(date|day|week|period)/) ?? find(/date|week/);
  const texts = day === null ? [] : lines.slice(0, 200).map(({ cells }) => cells[day] ?? '');
  const order = orderOf(texts);
  const days = texts.map((text) => readDay(text, order)).filter((read) => read !== null);
  const beginWeeks = days.length > 0 && days.every((read) => startOfWeek(read, firstWeekday) === read);
  const isWeekly = day !== null && (/week/i.test(headers[day] ?? '') || (beginWeeks && new Set(days).size > 1));
  const only = campaigns.length === 1 ? campaigns[0]?.id : undefined;
  return {
    headers,
    period: isWeekly ? 'week' : 'day',
    day,
    order,
    campaign: find(/campaign|sequence/) ?? only ?? null,
    metrics,
  };
}

function orderOf(texts: readonly string[]): ColumnMap['order'] {
  const fits = (order: ColumnMap['order']) => texts.every((text) => text === '' || readDay(text, order) !== null);
  if (fits('ymd')) return 'ymd';
  return fits('mdy') && !fits('dmy') ? 'mdy' : 'dmy';
}

/** Returns a day as 2026-11-16, or null for a text that is none. A time behind it is left out. */
export function readDay(text: string, order: ColumnMap['order']): string | null {
  const parts = /^(\d+)[-./](\d+)[-./](\d+)(?:[T ]\d{2}:\d{2}.*)?$/.exec(text)?.slice(1, 4);
  if (!parts) return null;
  const [year, month, day] = ['y', 'm', 'd'].map((part) => parts[order.indexOf(part)] ?? '');
  if (year?.length !== 4 || !month || !day || month.length > 2 || day.length > 2) return null;
  const read = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const time = Date.parse(read);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(read) ? read : null;
}

/** Says why the figures of a file cannot be read with these columns, or null when they can. */
export function problemOf({ day, campaign, metrics }: ColumnMap): string | null {
  if (day === null) return 'Choose the column with the day.';
  if (campaign === null) return 'Choose the column with the campaign, or the campaign of the whole file.';
  const chosen = metrics.filter((metric) => metric !== null);
  if (chosen.length === 0) return 'Choose at least one column with figures.';
  const twice = chosen.find((metric, index) => chosen.indexOf(metric) !== index);
  return twice ? `Two columns are ${metricWord(twice)}. Leave one of them out.` : null;
}

export interface RefusedLine {
  line: number;
  reason: string;
}

/** The figures of a line, for one campaign and day. */
export type FigureRow = { line: number; campaign: string; day: string; values: Partial<Record<Metric, number>> };

/** Reads the figures of a file. An empty cell is no figure; what cannot be read is refused, by its line. */
export function readFigures(lines: readonly CsvLine[], map: ColumnMap, campaigns: Context['campaigns']) {
  const rows: FigureRow[] = [];
  const refused: RefusedLine[] = [];
  const ids = Map.groupBy(campaigns, ({ name }) => plainName(name));
  for (const { number, cells } of lines) {
    const refuse = (reason: string) => void refused.push({ line: number, reason });
    const dayText = cells[map.day ?? -1] ?? '';
    const day = readDay(dayText, map.order);
    const name = typeof map.campaign === 'number' ? (cells[map.campaign] ?? '') : '';
    const named = ids.get(plainName(name)) ?? [];
    const campaign = typeof map.campaign === 'string' ? map.campaign : named[0]?.id;
    if (cells.length > map.headers.length) refuse('This line has more cells than the header.');
    else if (day === null) refuse(`This is no day: ${shown(dayText)}`);
    else if (named.length > 1) refuse(`Several campaigns have this name: ${shown(name)}`);
    else if (campaign === undefined) refuse(`No campaign has this name: ${shown(name)}`);
    else {
      const values = readValues(cells, map.metrics, refuse);
      if (Object.keys(values).length > 0) rows.push({ line: number, campaign, day, values });
    }
  }
  return { rows, refused };
}

/** Says why the figures that were read cannot be imported at once, or null when they can. */
export function problemOfRows(rows: readonly FigureRow[]): string | null {
  const count = rows.reduce((sum, { values }) => sum + Object.keys(values).length, 0);
  return count > MAX_FIGURES ? 'This file has more than 30,000 figures. Split it and import the parts.' : null;
}

function readValues(cells: readonly string[], metrics: ColumnMap['metrics'], refuse: (reason: string) => void) {
  const values: FigureRow['values'] = {};
  metrics.forEach((metric, column) => {
    const text = cells[column] ?? '';
    if (metric === null || text === '') return;
    const count = readCount(text);
    if (count === null) refuse(`${metricWord(metric)} is no whole number: ${shown(text)}`);
    else values[metric] = count;
  });
  return values;
}

/** Points and commas are refused: 1.234 is a thousand to some and one to others. */
function readCount(text: string): number | null {
  if (!/^\d{1,12}$|^\d{1,3}([\s'’]\d{3}){1,3}$/.test(text)) return null;
  return Number(text.replace(/\D/g, ''));
}

function plainName(name: string): string {
  return name.trim().toLowerCase().replace(/\s+/g, ' ');
}

function shown(text: string): string {
  if (text === '') return 'nothing';
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
