import { expect, test } from 'vitest';
import { separate } from './separate.ts';

test.each([
  ['bold, clear ,calm', ['bold', 'clear', 'calm']],
  [' , bold,, ,', ['bold']],
  ['', []],
  ['two words, one', ['two words', 'one']],
])('The words of %j are %j', (text, words) => {
  expect(separate(text, ',')).toEqual(words);
});

test('Lines keep their commas', () => {
  expect(separate('Signalfjord\n\n Oslo, Norway ', '\n')).toEqual(['Signalfjord', 'Oslo, Norway']);
});
