/**
 * Rows in the text format of COPY (https://www.postgresql.org/docs/current/sql-copy.html, "Text Format"), which psql
 * can load and which keeps the exact text of every value. Null is \N. Line breaks and tabs are escaped.
 */
import { hash } from 'node:crypto';

export type RowValues = readonly (string | null)[];

const ESCAPED: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };
const UNESCAPED: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

/** Formats a row without the line break. */
export function writeRow(values: RowValues): string {
  return values
    .map((value) => (value === null ? '\\N' : value.replace(/[\\\n\r\t]/g, (char) => ESCAPED[char] ?? char)))
    .join('\t');
}

export function readRow(line: string): (string | null)[] {
  return line
    .split('\t')
    .map((field) => (field === '\\N' ? null : field.replace(/\\(.)/gs, (_, char: string) => UNESCAPED[char] ?? char)));
}

/** Counts the rows of a table and adds up their hashes. The sum does not depend on the order of the rows. */
export class RowSum {
  rows = 0;
  #sum = 0n;

  add(line: string): void {
    this.rows++;
    this.#sum = BigInt.asUintN(256, this.#sum + BigInt(`0x${hash('sha256', line)}`));
  }

  /** 64 hexadecimal digits. */
  get sha256(): string {
    return this.#sum.toString(16).padStart(64, '0');
  }
}
