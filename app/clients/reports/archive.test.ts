import { expect, test } from 'vitest';
import { writeTable } from './archive.ts';
import { buildArchiveName } from './archive-files.ts';

test('Writes columns in order, missing values as empty cells, and formulas as text', () => {
  const rows = [
    { name: '=HYPERLINK("https://evil.example")', value: 12, due_on: null },
    { value: -3, name: '@SUM(A1)\nnext', more: 'left out' },
  ];
  expect(writeTable(['name', 'value', 'due_on'], rows)).toBe(
    '\uFEFFname,value,due_on\r\n"\'=HYPERLINK(""https://evil.example"")",12,\r\n"\'@SUM(A1)\nnext",\'-3,\r\n',
  );
});

test('File names are unique and cannot escape the folder', () => {
  expect(buildArchiveName(0, 'deck.pdf')).toBe('files/001-deck.pdf');
  expect(buildArchiveName(1, 'deck.pdf')).toBe('files/002-deck.pdf');
  expect(buildArchiveName(2, '../..\\etc/passwd')).toBe('files/003-.._.._etc_passwd');
});
