import { describe, expect, test } from 'vitest';
import { decodeCsv, plainHeader, readCsv, readTable } from './read-csv.ts';

const cells = (text: string) => readCsv(text).map((line) => line.cells);
const bytesOf = (text: string) => new TextEncoder().encode(text).buffer;

test('Detects the separator with the most consistent count in the first lines', () => {
  expect(cells('a,b;c,d\n1,2,3')).toEqual([
    ['a', 'b;c', 'd'],
    ['1', '2', '3'],
  ]);
  expect(cells('a;b;c,d\r\n1;2;3')[1]).toEqual(['1', '2', '3']);
  expect(cells('a\tb\r1\t')).toEqual([
    ['a', 'b'],
    ['1', ''],
  ]);
  expect(cells('Report\nName;Note\nx;"a, b"\ny;c, d, e\nz;f, g')[3]).toEqual(['y', 'c, d, e']);
});

test.each([
  ['sep=;\r\nDate;Sent\r\n16.11.2026;1,5'],
  ['SEP=;\nDate;Sent\n16.11.2026;1,5'],
  ['"sep=;"\nDate;Sent\n16.11.2026;1,5'],
])('A first line "sep=" sets the separator: %j', (text) => {
  expect(readCsv(text)).toEqual([
    { number: 2, cells: ['Date', 'Sent'] },
    { number: 3, cells: ['16.11.2026', '1,5'] },
  ]);
});

test('Quoted cells may contain separators, quotes and line breaks, and later lines keep their numbers', () => {
  const lines = readCsv('name,note\n"a ""b"", c","two\nlines"\n\n , \nlast, x ');
  expect(lines).toEqual([
    { number: 1, cells: ['name', 'note'] },
    { number: 2, cells: ['a "b", c', 'two\nlines'] },
    { number: 6, cells: ['last', 'x'] },
  ]);
});

test('Reads a formula as text', () => {
  expect(cells('=HYPERLINK("http://x","y"),-1\n"=1+1",@a')).toEqual([
    ['=HYPERLINK("http://x"', 'y)', '-1'],
    ['=1+1', '@a'],
  ]);
});

test('Reports the line of an unclosed quote, and reads no lines from an empty text', () => {
  expect(() => readCsv('a\n1\n"2')).toThrow('A quote that opens on line 3 is never closed.');
  expect(readCsv('')).toEqual([]);
});

describe('Decoding', () => {
  const utf16 = (text: string, isBigEndian = false) => {
    const bytes = [...text].flatMap((unit) => [unit.charCodeAt(0) & 0xff, unit.charCodeAt(0) >> 8]);
    return new Uint8Array(isBigEndian ? bytes.map((_, index) => bytes[index ^ 1] ?? 0) : bytes).buffer;
  };

  test.each([
    ['UTF-8', bytesOf('Møter,3')],
    ['UTF-8 with a byte order mark', bytesOf('\uFEFFMøter,3')],
    ['UTF-16 with a byte order mark', utf16('\uFEFFMøter,3')],
    ['big-endian UTF-16 with a byte order mark', utf16('\uFEFFMøter,3', true)],
    ['UTF-16 without a byte order mark', utf16('Møter,3')],
    ['big-endian UTF-16 without a byte order mark', utf16('Møter,3', true)],
    ['Windows-1252', new Uint8Array([0x4d, 0xf8, ...new TextEncoder().encode('ter,3')]).buffer],
  ])('reads %s', (_name, bytes) => {
    expect(decodeCsv(bytes)).toBe('Møter,3');
  });

  test.each([
    ['an Excel file', [0x50, 0x4b, 0x03, 0x04, 0x00, 0x00]],
    ['a legacy Excel file', [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]],
    ['a picture', [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
  ])('rejects %s', (_name, bytes) => {
    expect(() => decodeCsv(new Uint8Array(bytes).buffer)).toThrow('This is not a CSV file.');
  });
});

describe('A table', () => {
  const table = (text: string, headerName = 'Sent') =>
    readTable(bytesOf(text), (header) => header.includes(headerName));

  test('begins with the first line that is a known header', () => {
    const withPreamble =
      'Campaign report,,\n"16 Nov 2026 - 22 Nov 2026",,\n\nDate,Campaign,Sent\n2026-11-16,Nordic SaaS,120\n';
    const expected = {
      headers: ['Date', 'Campaign', 'Sent'],
      lines: [{ number: 5, cells: ['2026-11-16', 'Nordic SaaS', '120'] }],
    };
    expect(table(withPreamble)).toEqual(expected);
    expect(table(withPreamble, 'unknown')).toEqual(expected);
    expect(table('1,2\n3,4', 'unknown').headers).toEqual(['1', '2']);
    expect(table('')).toEqual({ headers: [], lines: [] });
  });

  test('drops empty cells beyond the header and keeps those with a value', () => {
    expect(table('Date,Sent,\n1,2,\n3,4,,,\n5\n6,7,8').lines.map((line) => line.cells)).toEqual([
      ['1', '2'],
      ['3', '4'],
      ['5'],
      ['6', '7', '8'],
    ]);
  });
});

test('Normalises a header to words and keeps signs such as %', () => {
  expect(['companyName', 'company_name', 'Company  Name ', 'company-name'].map(plainHeader)).toEqual(
    Array(4).fill('company name'),
  );
  expect(plainHeader('E-mail 1 - Value')).toBe('e mail 1 value');
  expect(plainHeader('Reply %')).toBe('reply %');
  expect(plainHeader('FørsteNavn')).toBe('første navn');
});
