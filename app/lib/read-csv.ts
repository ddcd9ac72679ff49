/** A file of comma-separated values as people export it: with commas, semicolons or tabs, quoted where needed (RFC 4180). */

export interface CsvLine {
  /** Line of the file on which it begins, from 1. */
  number: number;
  cells: string[];
}

/**
 * Decodes the bytes of a file of comma-separated values.
 * @throws Error with a sentence for people, when they are not in UTF-8, or no text
 */
export function decodeCsv(bytes: ArrayBuffer): string {
  let text: string;
  try {
    // The mark of UTF-8 at the beginning, if there is one, is left out.
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Error('This file is not in UTF-8. Save it as “CSV UTF-8” and choose it again.');
  }
  if (text.includes('\0')) throw new Error('This is no CSV file. Save it as “CSV UTF-8” and choose it again.');
  return text;
}

/**
 * Reads the lines of a CSV text that have anything in them. What separates the cells is what stands most often in the first
 * line.
 * @throws Error with a sentence for people, when a quote is left open
 */
export function readCsv(text: string): CsvLine[] {
  const separator = separatorOf(text.slice(0, text.search(/\r|\n|$/)));
  const lines: CsvLine[] = [];
  let line: CsvLine = { number: 1, cells: [] };
  let number = 1;
  let position = 0;
  while (position <= text.length) {
    const { value, end } = readCell(text, position, separator, number);
    line.cells.push(value);
    number += value.split('\n').length - 1;
    position = end + 1;
    if (text[end] === separator) continue;
    if (text[end] === '\r' && text[position] === '\n') position += 1;
    if (line.cells.some((cell) => cell !== '')) lines.push(line);
    number += 1;
    line = { number, cells: [] };
  }
  return lines;
}

function separatorOf(firstLine: string): string {
  const count = (character: string) => firstLine.split(character).length;
  return [',', ';', '\t'].toSorted((one, other) => count(other) - count(one))[0] ?? ',';
}

/** Reads a cell, trimmed, and where it ends: at a separator, a line's end or the text's. */
function readCell(text: string, start: number, separator: string, number: number): { value: string; end: number } {
  const ends = separator === ',' ? /[,\r\n]/g : separator === ';' ? /[;\r\n]/g : /[\t\r\n]/g;
  const opening = /[^\S\r\n\t]*"/y;
  opening.lastIndex = start;
  const isQuoted = opening.test(text);
  const closing = isQuoted ? closingQuote(text, opening.lastIndex, number) : start;
  ends.lastIndex = closing;
  const end = ends.exec(text)?.index ?? text.length;
  const value = isQuoted
    ? text.slice(opening.lastIndex, closing).replaceAll('""', '"') + text.slice(closing + 1, end)
    : text.slice(start, end);
  return { value: value.trim(), end };
}

function closingQuote(text: string, start: number, number: number): number {
  let quote = text.indexOf('"', start);
  while (quote >= 0 && text[quote + 1] === '"') quote = text.indexOf('"', quote + 2);
  if (quote < 0) throw new Error(`A quote that opens on line ${number} is never closed.`);
  return quote;
}
