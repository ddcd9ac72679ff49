import { expect, test } from 'vitest';
import { tableFile } from './archive.ts';
import { nameInArchive } from './archive-files.ts';

test('A table has its columns in their order, what is missing is empty, and no cell is a formula', () => {
  const rows = [
    { name: '=HYPERLINK("https://evil.example")', value: 12, due_on: null },
    { value: -3, name: '@SUM(A1)\nnext', more: 'left out' },
  ];
  expect(tableFile(['name', 'value', 'due_on'], rows)).toBe(
    '\uFEFFname,value,due_on\r\n"\'=HYPERLINK(""https://evil.example"")",12,\r\n"\'@SUM(A1)\nnext",\'-3,\r\n',
  );
});

test('Files of one name lie beside each other, and no name leads out of the folder', () => {
  expect(nameInArchive(0, 'deck.pdf')).toBe('files/001-deck.pdf');
  expect(nameInArchive(1, 'deck.pdf')).toBe('files/002-deck.pdf');
  expect(nameInArchive(2, '../..\\etc/passwd')).toBe('files/003-.._.._etc_passwd');
});
