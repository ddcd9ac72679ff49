import { invalidBody } from '../rest-errors.ts';

/** One field and what ends it: quoted with doubled quotes inside, or bare. */
const FIELD = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/y;

/**
 * CSV with a header line as rows of text; NULL stands for null.
 * @throws ApiError PGRST102 for ragged lines and stray quotes
 */
export function parseCsv(text: string): Record<string, string | null>[] {
  const [header, ...lines] = parseLines(text);
  if (!header) throw invalidBody('Empty or invalid csv');
  return lines.map((line) => {
    if (line.length !== header.length) throw invalidBody('All lines must have same number of fields');
    return Object.fromEntries(header.map((name, index) => [name, line[index] === 'NULL' ? null : (line[index] ?? '')]));
  });
}

function parseLines(text: string): string[][] {
  const lines: string[][] = [];
  let line: string[] = [];
  FIELD.lastIndex = 0;
  while (FIELD.lastIndex < text.length) {
    const found = FIELD.exec(text);
    if (!found) throw invalidBody('Empty or invalid csv');
    const [, quoted, bare, end] = found;
    line.push(quoted === undefined ? (bare ?? '') : quoted.replaceAll('""', '"'));
    if (end === ',') {
      if (FIELD.lastIndex === text.length) line.push('');
      continue;
    }
    lines.push(line);
    line = [];
  }
  if (line.length > 0) lines.push(line);
  return lines;
}
