import { expect, test } from 'vitest';
import { readCsv } from './read-csv.ts';

const cells = (text: string) => readCsv(text).map((line) => line.cells);

test('Cells are separated by what stands most often in the first line', () => {
  expect(cells('a,b;c,d\n1,2,3')).toEqual([
    ['a', 'b;c', 'd'],
    ['1', '2', '3'],
  ]);
  expect(cells('a;b;c,d\r\n1;2;3')[1]).toEqual(['1', '2', '3']);
  expect(cells('a\tb\r1\t')).toEqual([
    ['a', 'b'],
    ['1', ''],
  ]);
});

test('Quoted cells hold separators, quotes and lines, and what follows keeps its line number', () => {
  const lines = readCsv('name,note\n"a ""b"", c","two\nlines"\n\n , \nlast, x ');
  expect(lines).toEqual([
    { number: 1, cells: ['name', 'note'] },
    { number: 2, cells: ['a "b", c', 'two\nlines'] },
    { number: 6, cells: ['last', 'x'] },
  ]);
});

test('A formula is text like any other', () => {
  expect(cells('=HYPERLINK("http://x","y"),-1\n"=1+1",@a')).toEqual([
    ['=HYPERLINK("http://x"', 'y)', '-1'],
    ['=1+1', '@a'],
  ]);
});

test('An open quote is named by its line; an empty text has no lines', () => {
  expect(() => readCsv('a\n1\n"2')).toThrow('A quote that opens on line 3 is never closed.');
  expect(readCsv('')).toEqual([]);
});
