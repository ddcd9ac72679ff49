import { expect, test } from 'vitest';
import { readNewsSearch } from './read-news-search.ts';

test.each([
  [{}, {}],
  [
    { page: 2, category: 'Notes', q: 'fog' },
    { page: 2, category: 'Notes', q: 'fog' },
  ],
  [
    { q: 2024, category: 7 },
    { q: '2024', category: '7' },
  ],
  [{ page: 1 }, {}],
  [{ page: 'x', q: '  ', category: '' }, {}],
  [{ page: -1, q: null, category: ['a'] }, {}],
  [{ page: 1e30 }, {}],
  [{ page: 2.5 }, {}],
  [{ q: 'a'.repeat(500) }, { q: 'a'.repeat(100) }],
])('Parses %j to %j', (search, expected) => {
  const defaults = { page: undefined, category: undefined, q: undefined };
  expect(readNewsSearch(search)).toStrictEqual({ ...defaults, ...expected });
});
