import { expect, it } from 'vitest';
import { slugFromTitle } from './slug.ts';

it.each([
  ['Hello World', 'hello-world'],
  ['  Two   spaces ', 'two-spaces'],
  ['Blåbær & Ål, 100%!', 'blåbær-&-ål,-100%!'],
  ['What/why? #1', 'what-why-1'],
  ['already-a-slug', 'already-a-slug'],
])('Converts %j to %j', (title, slug) => {
  expect(slugFromTitle(title)).toBe(slug);
});
