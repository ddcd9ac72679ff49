/** Reads CSV files with figures. Formulas in cells are not evaluated. */

import { METRICS, type Metric } from '../../../supabase/functions/metrics.ts';
import { type CsvLine, type CsvTable, readTable } from '../../ui/lib/read-csv.ts';
import { computeSha256 } from '../../ui/lib/sha256.ts';
import { type ColumnMap, isFigureHeader } from './figure-columns.ts';
import { COUNT_FORMATS, type DecimalSign, detectDecimalSign, readAmount, readCount } from './read-count.ts';
import { DATE_FORMATS, isWeekText, readDay } from './read-day.ts';

const MAX_BYTES = 5 * 1024 * 1024;
const MAX_LINES = 20_000;
const MAX_FIGURES = 30_000;

export interface FigureFile extends CsvTable {
  name: string;
  /** SHA-256, hexadecimal. */
  hash: string;
}

/**
 * Reads a CSV file and computes its hash.
 * @throws Error with a message for the user if the file is too large, not a CSV, or has no rows
 */
export async function readFigureFile(file: File): Promise<FigureFile> {
  // `crypto.subtle` is only available over HTTPS.
  if (!globalThis.crypto.subtle) throw new Error('Open this page over https to import a file.');
  if (file.size > MAX_BYTES) throw new Error('This file is larger than 5 MB. Split it and import the parts.');
  const bytes = await file.arrayBuffer();
  const { headers, lines } = readTable(bytes, isFigureHeader);
  if (lines.length === 0) throw new Error('This file has no lines below its header.');
  if (lines.length > MAX_LINES) throw new Error('This file has more than 20,000 lines. Split it and import the parts.');
  return { name: file.name.slice(-255), hash: await computeSha256(bytes), headers, lines };
}

export interface RejectedLine {
  line: number;
  reason: string;
}

/** Figures in one line of the file. */
export type FigureRow = { line: number; campaign: string; day: string; values: Partial<Record<Metric, number>> };

/** Campaign name that matches none of the client's campaigns. */
export interface UnknownCampaign {
  /** Key in `ColumnMap.names`. */
  key: string;
  /** Name in the file. */
  name: string;
  /** Number of lines with this name. */
  count: number;
}

interface Figures {
  rows: FigureRow[];
  rejected: RejectedLine[];
  unknown: UnknownCampaign[];
}

interface Context {
  campaigns: readonly { id: string; name: string }[];
  timeZone: string;
}

/** Reads the figures of a file. Empty cells are skipped. Invalid lines are rejected with a reason. */
export function readFigures(lines: readonly CsvLine[], map: ColumnMap, { campaigns, timeZone }: Context): Figures {
  const result: Figures = { rows: [], rejected: [], unknown: [] };
  const ids = Map.groupBy(campaigns, ({ name }) => normaliseName(name));
  const unknown = new Map<string, UnknownCampaign>();
  const signs = map.metrics.map((_metric, column) => detectDecimalSign(lines.map(({ cells }) => cells[column] ?? '')));
  const order = map.order === 'ymd' ? null : map.order;
  for (const { number, cells } of lines) {
    const reject = (reason: string) => void result.rejected.push({ line: number, reason });
    const dayText = cells[map.day ?? -1] ?? '';
    const day = readDay(dayText, { order, timeZone });
    const name = typeof map.campaign === 'number' ? (cells[map.campaign] ?? '') : '';
    const key = normaliseName(name);
    const matches = ids.get(key) ?? [];
    if (day === null || (isTotal(name) && matches.length === 0)) reject(explainRejection(cells, dayText));
    else if (cells.length > map.headers.length) reject('This line has more cells than the header.');
    else if (isWeekText(dayText) && map.period === 'day')
      reject(`${truncate(dayText)} is a week. Under “Each line covers”, choose “A week”.`);
    else if (matches.length > 1) reject(`Several campaigns have this name: ${truncate(name)}`);
    else if (typeof map.campaign === 'number' && name === '') reject('This line has no campaign.');
    else {
      const choice = map.names[key];
      const campaign = typeof map.campaign === 'string' ? map.campaign : (matches[0]?.id ?? choice?.id);
      if (typeof map.campaign === 'number' && matches.length === 0) {
        const existing = unknown.get(key);
        unknown.set(key, { key, name: existing?.name ?? name, count: (existing?.count ?? 0) + 1 });
      }
      if (choice === null && campaign === undefined) reject(`Skipped: ${truncate(name)}`);
      if (campaign === undefined) continue;
      const values = readValues(cells, map.metrics, signs, reject);
      if (Object.keys(values).length > 0) result.rows.push({ line: number, campaign, day, values });
    }
  }
  return { ...result, unknown: [...unknown.values()] };
}

/** Returns a message if there are too many figures for one import, otherwise null. */
export function findSizeProblem(rows: readonly FigureRow[]): string | null {
  const count = rows.reduce((sum, { values }) => sum + Object.keys(values).length, 0);
  return count > MAX_FIGURES ? 'This file has more than 30,000 figures. Split it and import the parts.' : null;
}

/** Reason for rejecting a line without a date. */
function explainRejection(cells: readonly string[], dayText: string): string {
  const values = cells.filter((cell) => cell !== '');
  const total = values.find(isTotal);
  if (total !== undefined) return `This is a total, not the figures of a day: ${truncate(total)}`;
  if (values.length === 1) return `This is a note, not a row of figures: ${truncate(values[0] ?? '')}`;
  return `Not a valid date: ${truncate(dayText)}. Use ${DATE_FORMATS}.`;
}

function isTotal(text: string): boolean {
  return /^((grand |sub ?)?totals?|sum|totalt|totaler|summa|summe|gesamt(summe)?|i alt|average|avg|gjennomsnitt|genomsnitt|durchschnitt)[\s:]*$/i.test(
    text,
  );
}

function readValues(
  cells: readonly string[],
  metrics: ColumnMap['metrics'],
  signs: readonly DecimalSign[],
  reject: (reason: string) => void,
) {
  const values: FigureRow['values'] = {};
  metrics.forEach((metric, column) => {
    const text = cells[column] ?? '';
    if (metric === null || /^[-–—]?$/.test(text)) return;
    const value = (METRICS[metric].unit === 'currency' ? readAmount : readCount)(text, signs[column] ?? null);
    if (value === null)
      reject(`${METRICS[metric].label} is not a whole number: ${truncate(text)}. Use ${COUNT_FORMATS}.`);
    else values[metric] = value;
  });
  return values;
}

function normaliseName(name: string): string {
  return name.trim().toLowerCase().replace(/\s+/g, ' ');
}

function truncate(text: string): string {
  if (text === '') return '(empty)';
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
