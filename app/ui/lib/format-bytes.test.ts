import { expect, test } from 'vitest';
import { formatBytes } from './format-bytes.ts';

test.each([
  [0, '0 B'],
  [999, '999 B'],
  [1000, '1 kB'],
  [12_540, '12.5 kB'],
  [999_949, '999.9 kB'],
  [999_950, '1 MB'],
  [20_000_000, '20 MB'],
])('Formats %i bytes as %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});
