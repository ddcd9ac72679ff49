/** Parses domains and addresses from typed text or a CSV file. The database validates the entries. */
import { type CsvLine, decodeCsv, readCsv } from '../../ui/lib/read-csv.ts';

export const MAX_BYTES = 5 * 1024 * 1024;
export const MAX_LINES = 5000;
/**
 * Maximum length of an entry after truncation. It exceeds the database limit by one, so that the database rejects
 * truncated entries.
 */
const MAX_LENGTH = 321;

/** An entry with its line number, starting at 1. */
export interface EntryLine {
  line: number;
  text: string;
}

/**
 * Parses typed or pasted text. A line may contain several entries, or addresses in angle brackets after a name.
 * @throws Error with a message for the user if there are too many entries
 */
export function parseEntries(text: string): EntryLine[] {
  return requireMaxLines(
    text.split(/\r\n|\r|\n/).flatMap((line, index) => {
      const bracketed = [...line.matchAll(/<([^<>\s]+@[^<>\s]+)>/g)].map(([, address = '']) => address);
      const entries = bracketed.length > 0 ? bracketed : line.split(/[\s,;]+/).filter(Boolean);
      return entries.map((entry) => ({ line: index + 1, text: normaliseEntry(entry) }));
    }),
  );
}

/**
 * Reads the CSV column in which most cells are addresses or domains.
 * @throws Error with a message for the user if the file is too large, not a CSV, or has no such column
 */
export async function parseBlocklistFile(file: File): Promise<EntryLine[]> {
  if (file.size > MAX_BYTES) throw new Error('This file is larger than 5 MB. Split it and add the parts.');
  const lines = readCsv(decodeCsv(await file.arrayBuffer()));
  const column = findEntryColumn(lines);
  if (column === null) throw new Error('This file has no column of email addresses or domains.');
  const [firstLine] = lines;
  const hasHeader = firstLine !== undefined && !isEntry(firstLine.cells[column]);
  return requireMaxLines(
    (hasHeader ? lines.slice(1) : lines)
      .map(({ number, cells }) => ({ line: number, text: normaliseEntry(cells[column] ?? '') }))
      .filter(({ text }) => text !== ''),
  );
}

function findEntryColumn(lines: readonly CsvLine[]): number | null {
  const counts = new Map<number, number>();
  for (const { cells } of lines) {
    cells.forEach((cell, column) => {
      if (isEntry(cell)) counts.set(column, (counts.get(column) ?? 0) + 1);
    });
  }
  const [best] = [...counts].toSorted(([, first], [, second]) => second - first);
  return best?.[0] ?? null;
}

function isEntry(text = ''): boolean {
  return /^[^\s@]*@?[^\s@]+\.[a-z][a-z0-9-]+$/.test(normaliseEntry(text));
}

function requireMaxLines(lines: EntryLine[]): EntryLine[] {
  if (lines.length > MAX_LINES)
    throw new Error('You can add at most 5,000 entries at a time. Split the list and add the parts.');
  return lines;
}

/**
 * Normalises an entry, such as 'https://www.Acme.no/about' to 'acme.no'. Internationalised domains become punycode.
 */
export function normaliseEntry(text: string): string {
  const trimmed = text
    .trim()
    .toLowerCase()
    .replace(/^mailto:/, '')
    .slice(0, MAX_LENGTH);
  const at = trimmed.lastIndexOf('@');
  if (at >= 0) return trimmed.slice(0, at + 1) + toAsciiDomain(trimmed.slice(at + 1));
  return toAsciiDomain(
    trimmed
      .replace(/^https?:\/\//, '')
      .replace(/[/?#].*$/, '')
      .replace(/^www\./, ''),
  );
}

function toAsciiDomain(domain: string): string {
  if (!/[^\0-\x7f]/.test(domain)) return domain;
  return URL.parse(`http://${domain}`)?.hostname ?? domain;
}
