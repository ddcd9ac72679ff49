import { expect, it } from 'vitest';
import { encodeCarets } from './encode-carets.ts';

it.each([
  ['/news/a^b^c', '/news/a%5Eb%5Ec'],
  ['/news/a%5Eb|c', '/news/a%5Eb|c'],
  ['/news?q=^#^', '/news?q=^#^'],
])('Encodes %j as %j', (url, encoded) => {
  expect(encodeCarets(url)).toBe(encoded);
});
