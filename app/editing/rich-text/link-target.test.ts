import { expect, it } from 'vitest';
import { linkTarget } from './link-target.ts';

it.each([
  ['https://example.com/a', 'https://example.com/a'],
  ['example.com', 'https://example.com'],
  ['www.example.com/a?b', 'https://www.example.com/a?b'],
  ['anna@example.com', 'mailto:anna@example.com'],
  ['/projects?case=a', '/projects?case=a'],
  ['#part', '#part'],
  ['javascript:alert(1)', null],
  ['//other.example', null],
  ['our work', null],
  ['https://', null],
  ['', null],
])('Resolves the input %j to %j', (typed, target) => {
  expect(linkTarget(typed)).toBe(target);
});
