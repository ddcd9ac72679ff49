import { expect, test } from 'vitest';
import { detectDecimalSign, readAmount, readCount } from './read-count.ts';

test.each([
  ['1234', null, 1234],
  ['1 234', null, 1234],
  ['1\u00a0234', null, 1234],
  ['1\u202f234', null, 1234],
  ["1'234", null, 1234],
  ['1,234', null, 1234],
  ['1.234', null, 1234],
  ['1.234.567', null, 1234567],
  ['12.0', null, 12],
  ['12,00', null, 12],
  ['1,234.00', null, 1234],
  ['1.234,00', null, 1234],
  ['1,234', '.', 1234],
  ['1.234', ',', 1234],
  ['1.234', '.', null],
  ['1,234', ',', null],
  ['12.5', null, null],
  ['1,2', null, null],
  ['12%', null, null],
  ['0.5', null, null],
  ['-3', null, null],
  ['1,23,456', null, null],
  ['=1+1', null, null],
  ['9999999999999', null, null],
  ['', null, null],
] as const)('Reads %j with the decimal separator %j as %j', (text, sign, count) => {
  expect(readCount(text, sign)).toBe(count);
});

test('Detects the decimal separator of a column by the number of digits after it', () => {
  expect(detectDecimalSign(['1.234', '12.5'])).toBe('.');
  expect(detectDecimalSign(['1.234,50', '12'])).toBe(',');
  expect(detectDecimalSign(['0.123'])).toBe('.');
  expect(detectDecimalSign(['1.234', '12'])).toBeNull();
  expect(detectDecimalSign(['1.5', '2.5', '3,5'])).toBe('.');
});

test('Rounds an amount to whole units and accepts a currency', () => {
  expect(
    ['kr 12 500,50', '12 500 NOK', '€1,200', '$1,200.49', '1.200,-', '12.500'].map((text) => readAmount(text, null)),
  ).toEqual([12501, 12500, 1200, 1200, 1200, 12500]);
  expect(['many', '12%', ''].map((text) => readAmount(text, null))).toEqual([null, null, null]);
});
