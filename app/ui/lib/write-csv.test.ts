import { expect, test } from 'vitest';
import { writeCsv } from './write-csv.ts';

const field = (value: string) => writeCsv([[value]]).slice(0, -2);

test('Quotes cells that contain a delimiter, a quote or a line break', () => {
  expect(field('plain text')).toBe('plain text');
  expect(field('one, "two"\nthree')).toBe('"one, ""two""\nthree"');
  expect(writeCsv([['a', 1, null, undefined, 'b;c'], ['d']])).toBe('a,1,,,"b;c"\r\nd\r\n');
});

test.each(['=', '+', '-', '@', '\uFF1D', '\uFF0B', '\uFF0D', '\uFF20'])('Turns a formula with %s into text', (sign) => {
  expect(field(`${sign}cmd`)).toBe(`'${sign}cmd`);
  for (const delimiter of [';', ',', '\t', '|', '\n', '\r', '; ', ';"', ';""']) {
    const cell = field(`x${delimiter}${sign}cmd`);
    expect(cell).toBe(`"x${delimiter.replaceAll('"', '""')}'${sign}cmd"`);
  }
});

test('Keeps signs that do not start a formula, and escapes a leading tab or line break', () => {
  for (const text of ['a-b', 'kari@acme.no', '1 + 1 = 2', "it's; fine"]) {
    expect(field(text).replaceAll('"', '')).toBe(text);
  }
  expect(field('\tx')).toBe('"\'\tx"');
  expect(field('=HYPERLINK("https://evil.example")')).toBe('"\'=HYPERLINK(""https://evil.example"")"');
});

test('Runs in linear time on a long run of delimiters and spaces', () => {
  expect(field(';" '.repeat(200_000)).length).toBeGreaterThan(600_000);
});
