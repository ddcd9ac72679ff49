import { expect, it } from 'vitest';
import { presenceText } from './presence-text.ts';

it.each([
  [['Anna'], 'Anna is editing'],
  [['Anna', 'Bo'], 'Anna and Bo are editing'],
  [['Anna', 'Bo', 'Cy'], 'Anna and 2 others are editing'],
])('Formats %j as "%s"', (names, text) => {
  expect(presenceText(names)).toBe(text);
});
