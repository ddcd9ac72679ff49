import type { RequestLimits } from '../request-limits.ts';
import { bodyTooLarge, invalidBody, limitExceeded } from '../rest-errors.ts';

/**
 * Parses CSV with a header line to rows of text. `NULL` is parsed as null.
 * @throws ApiError PGRST102 for rows of different lengths and stray quotes; PGRST190 for too many rows or columns;
 * PGRST192 if the rows would be too large as JSON, because each JSON row repeats the header
 */
export function parseCsv(text: string, limits: RequestLimits): Record<string, string | null>[] {
  const [header, ...lines] = parseLines(text, limits);
  if (!header) throw invalidBody('Empty or invalid csv');
  const repeatedLength = header.join('').length * lines.length;
  if (repeatedLength + text.length > limits.bodyBytes * 2) throw bodyTooLarge(limits.bodyBytes);
  return lines.map((line) => {
    if (line.length !== header.length) throw invalidBody('All lines must have same number of fields');
    return Object.fromEntries(header.map((name, index) => [name, line[index] === 'NULL' ? null : (line[index] ?? '')]));
  });
}

function parseLines(text: string, { fields, rows, role }: RequestLimits): string[][] {
  const lines: string[][] = [];
  let line: string[] = [];
  let position = 0;
  while (position < text.length) {
    const { value, end } = parseValue(text, position);
    if (line.push(value) > fields) throw limitExceeded('columns', fields, role);
    position = end + 1;
    if (text[end] === ',') {
      if (position === text.length) line.push('');
      continue;
    }
    if (text[end] === '\r') position += 1;
    if (lines.push(line) > rows + 1) throw limitExceeded('rows', rows, role);
    line = [];
  }
  if (line.length > 0) lines.push(line);
  return lines;
}

/**
 * Parses a bare or quoted value. Two quotes in a quoted value are one quote. `end` is the index of the next comma or
 * line break, or the text length.
 */
function parseValue(text: string, start: number): { value: string; end: number } {
  const closing = text[start] === '"' ? closingQuote(text, start + 1) : null;
  const end = closing === null ? endOfBareValue(text, start) : closing + 1;
  const isDelimited = end >= text.length || text[end] === ',' || text[end] === '\n' || text.startsWith('\r\n', end);
  if (!isDelimited) throw invalidBody('Empty or invalid csv');
  const value = closing === null ? text.slice(start, end) : text.slice(start + 1, closing).replaceAll('""', '"');
  return { value, end };
}

function closingQuote(text: string, start: number): number {
  let quote = text.indexOf('"', start);
  while (quote >= 0 && text[quote + 1] === '"') quote = text.indexOf('"', quote + 2);
  if (quote < 0) throw invalidBody('Empty or invalid csv');
  return quote;
}

function endOfBareValue(text: string, start: number): number {
  const special = /[",\r\n]/g;
  special.lastIndex = start;
  return special.exec(text)?.index ?? text.length;
}
