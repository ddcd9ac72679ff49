import { expect, it } from 'vitest';
import { getLift } from './avoid-overlap.ts';

const LAUNCHER = { top: 768, bottom: 824 };
const CEILING = 422;
const control = (top: number, height = 44) => ({ top, bottom: top + height });

it('does not move if it covers no control', () => {
  expect(getLift([], LAUNCHER, CEILING)).toBe(0);
  expect(getLift([control(700), control(840)], LAUNCHER, CEILING)).toBe(0);
});

it('moves above the control that it would cover', () => {
  expect(getLift([control(770)], LAUNCHER, CEILING)).toBe(824 - 770 + 8);
});

it('skips occupied positions above, regardless of the order of the controls', () => {
  const stacked = [control(660), control(780), control(720)];
  expect(getLift(stacked, LAUNCHER, CEILING)).toBe(824 - 660 + 8);
  expect(getLift(stacked.toReversed(), LAUNCHER, CEILING)).toBe(824 - 660 + 8);
});

it('uses a gap between controls that is large enough', () => {
  expect(getLift([control(600), control(780)], LAUNCHER, CEILING)).toBe(824 - 780 + 8);
});

it('returns null for a column full of controls', () => {
  const column = Array.from({ length: 20 }, (_, row) => control(row * 50));
  expect(getLift(column, LAUNCHER, CEILING)).toBeNull();
});
