import { expect, test } from 'vitest';
import { splitList } from './split-list.ts';

test.each([
  ['bold, clear ,calm', ['bold', 'clear', 'calm']],
  [' , bold,, ,', ['bold']],
  ['', []],
  ['two words, one', ['two words', 'one']],
])('Splits %j into %j', (text, entries) => {
  expect(splitList(text, ',')).toEqual(entries);
});

test('Keeps commas when splitting by line', () => {
  expect(splitList('Signalfjord\n\n Oslo, Norway ', '\n')).toEqual(['Signalfjord', 'Oslo, Norway']);
});
