import { expect, it } from 'vitest';
import { editingSentence } from './presence-sentence.ts';

it.each([
  [['Anna'], 'Anna is editing'],
  [['Anna', 'Bo'], 'Anna and Bo are editing'],
  [['Anna', 'Bo', 'Cy'], 'Anna and 2 others are editing'],
])('Formats %j as "%s"', (names, sentence) => {
  expect(editingSentence(names)).toBe(sentence);
});
