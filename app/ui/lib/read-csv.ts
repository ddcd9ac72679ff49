/** CSV parser for files with commas, semicolons or tabs, and optional quotes (RFC 4180). */

export interface CsvLine {
  /** Line number in the file, from 1. A record with line breaks has the number of its first line. */
  number: number;
  cells: string[];
}

/** CSV with a header. Lines may be longer than `headers` only if an extra cell has a value. */
export interface CsvTable {
  headers: string[];
  lines: CsvLine[];
}

/** Lines scanned for the separator and the header. */
const HEAD_LINES = 20;

const SEPARATORS = [',', ';', '\t'] as const;

type Separator = (typeof SEPARATORS)[number];

const NOT_CSV = 'This is not a CSV file. Save the table as “CSV UTF-8” and choose it again.';

/**
 * Decodes CSV bytes as UTF-8 or UTF-16, with or without a byte order mark. The fallback is Windows-1252, which older
 * versions of Excel write.
 * @throws Error with a message for the user if the file is not text
 */
export function decodeCsv(bytes: ArrayBuffer): string {
  const text = new TextDecoder(detectEncoding(new Uint8Array(bytes))).decode(bytes);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these characters distinguish binary files from text
  if (/[\0-\x08\x0e-\x1f]/.test(text)) throw new Error(NOT_CSV);
  return text;
}

function detectEncoding(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  // In UTF-16, every second byte of Western text is zero.
  const head = bytes.subarray(0, 200);
  const zeros = (parity: number) => head.filter((byte, index) => byte === 0 && index % 2 === parity).length;
  if (zeros(1) > head.length / 4) return 'utf-16le';
  if (zeros(0) > head.length / 4) return 'utf-16be';
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return 'utf-8';
  } catch {
    return 'windows-1252';
  }
}

/**
 * Parses non-empty CSV lines. A first line `sep=;`, as written by Excel, sets the separator. Otherwise the separator
 * with the most consistent count in the first lines is used.
 * @throws Error with a message for the user if a quote is not closed
 */
export function readCsv(text: string): CsvLine[] {
  return readRecords(text)
    .filter(({ cells }) => cells.some((cell) => cell !== ''))
    .map(({ number, cells }) => ({ number, cells }));
}

/** Returns the CSV with only the accepted lines, exactly as they are in the text. Keeps a first line `sep=;`. */
export function filterCsv(text: string, isKept: (number: number) => boolean): string {
  const records = readRecords(text);
  const keptRecords = records.filter(({ number }) => isKept(number)).map(({ start, end }) => text.slice(start, end));
  return [text.slice(0, records[0]?.start), ...keptRecords].join('');
}

/** A record with its position in the text. `end` is after its line break. */
interface CsvRecord extends CsvLine {
  start: number;
  end: number;
}

/** Parses all records, including empty ones. */
function readRecords(text: string): CsvRecord[] {
  const declaration = /^"?sep=([,;\t])"?[^\S\r\n]*(?:\r\n|\r|\n|$)/i.exec(text);
  const separator = SEPARATORS.find((candidate) => candidate === declaration?.[1]) ?? detectSeparator(text);
  const records: CsvRecord[] = [];
  let number = declaration ? 2 : 1;
  let position = declaration?.[0].length ?? 0;
  let record: CsvRecord = { number, cells: [], start: position, end: position };
  while (position <= text.length) {
    const { value, end } = readCell(text, position, separator, number);
    record.cells.push(value);
    number += value.split('\n').length - 1;
    position = end + 1;
    if (text[end] === separator) continue;
    if (text[end] === '\r' && text[position] === '\n') position += 1;
    records.push({ ...record, end: position });
    number += 1;
    record = { number, cells: [], start: position, end: position };
  }
  return records;
}

/**
 * Parses a CSV file with a header. The header is the first line accepted by `isHeader`, or the first line with at least
 * half as many values as the fullest line. Lines above it are dropped.
 * @throws Error with a message for the user
 */
export function readTable(bytes: ArrayBuffer, isHeader: (cells: readonly string[]) => boolean): CsvTable {
  const all = readCsv(decodeCsv(bytes));
  const head = all.slice(0, HEAD_LINES);
  const values = (line: CsvLine) => line.cells.filter((cell) => cell !== '').length;
  const max = Math.max(...head.map(values));
  const headerIndex = head.findIndex(({ cells }) => isHeader(cells));
  const start =
    headerIndex >= 0 ? headerIndex : head.findIndex((line) => values(line) >= Math.max(max / 2, Math.min(max, 2)));
  const headers = trimEmptyCells(all[start]?.cells ?? [], 0);
  const lines = all
    .slice(start + 1)
    .map(({ number, cells }) => ({ number, cells: trimEmptyCells(cells, headers.length) }));
  return { headers, lines };
}

/** Normalises a header: 'company name' for companyName, company_name and "Company name". Signs such as % are kept. */
export function plainHeader(header: string): string {
  return header
    .replace(/(\p{Ll})(?=\p{Lu})/gu, '$1 ')
    .toLowerCase()
    .replace(/[\s_.:–-]+/gu, ' ')
    .trim();
}

function trimEmptyCells(cells: string[], atLeast: number): string[] {
  const last = cells.findLastIndex((cell) => cell !== '');
  return cells.slice(0, Math.max(atLeast, last + 1));
}

function detectSeparator(text: string): Separator {
  const head = text
    .slice(0, 20_000)
    .replaceAll(/"[^"]*"/g, '')
    .split(/\r\n|\r|\n/, HEAD_LINES);
  /** Returns the number of lines that agree on the most common count of the separator, and that count. */
  const score = (separator: Separator) => {
    const counts = head.map((line) => line.split(separator).length - 1).filter((count) => count > 0);
    const groups = [...Map.groupBy(counts, (count) => count)].map(
      ([count, equalCounts]) => [equalCounts.length, count] as const,
    );
    return groups.toSorted(descending)[0] ?? ([0, 0] as const);
  };
  return SEPARATORS.toSorted((first, second) => descending(score(first), score(second)))[0] ?? ',';
}

function descending([lines, count]: readonly [number, number], [otherLines, otherCount]: readonly [number, number]) {
  return otherLines - lines || otherCount - count;
}

/** Reads a trimmed cell and its end position. */
function readCell(text: string, start: number, separator: Separator, number: number): { value: string; end: number } {
  const endOfCell = separator === ',' ? /[,\r\n]/g : separator === ';' ? /[;\r\n]/g : /[\t\r\n]/g;
  const opening = /[^\S\r\n\t]*"/y;
  opening.lastIndex = start;
  const isQuoted = opening.test(text);
  const closing = isQuoted ? findClosingQuote(text, opening.lastIndex, number) : start;
  endOfCell.lastIndex = closing;
  const end = endOfCell.exec(text)?.index ?? text.length;
  const value = isQuoted
    ? text.slice(opening.lastIndex, closing).replaceAll('""', '"') + text.slice(closing + 1, end)
    : text.slice(start, end);
  return { value: value.trim(), end };
}

function findClosingQuote(text: string, start: number, number: number): number {
  let quote = text.indexOf('"', start);
  while (quote >= 0 && text[quote + 1] === '"') quote = text.indexOf('"', quote + 2);
  if (quote < 0) throw new Error(`A quote that opens on line ${number} is never closed.`);
  return quote;
}
