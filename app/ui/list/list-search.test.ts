import { expect, it } from 'vitest';
import { readListSearch } from './list-search.ts';

it('Reads the search text, status and page from the URL', () => {
  expect(readListSearch({ q: 'fjord', status: 'draft', page: 2 })).toEqual({ q: 'fjord', status: 'draft', page: 2 });
});

it('Reads the category and sort order from the URL', () => {
  expect(readListSearch({ category: 'Craft', sort: 'title' })).toEqual({ category: 'Craft', sort: 'title' });
  expect(readListSearch({ category: 2026 })).toEqual({ category: '2026' });
});

it('Keeps a numeric search as text', () => {
  expect(readListSearch({ q: 2026 })).toEqual({ q: '2026' });
});

it.each([
  { q: '' },
  { status: 'gone' },
  { category: '' },
  { sort: 'odd' },
  { page: 1 },
  { page: 0 },
  { page: -3 },
  { page: 1.5 },
  { page: 'x' },
  { other: 'x' },
])('Ignores the invalid search %j', (search) => {
  expect(readListSearch(search)).toEqual({});
});
