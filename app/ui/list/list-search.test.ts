import { expect, it } from 'vitest';
import { readListSearch } from './list-search.ts';

it('Reads search, status and page', () => {
  expect(readListSearch({ q: 'fjord', status: 'draft', page: 2 })).toEqual({ q: 'fjord', status: 'draft', page: 2 });
});

it('Reads category and sorting', () => {
  expect(readListSearch({ category: 'Craft', sort: 'title' })).toEqual({ category: 'Craft', sort: 'title' });
  expect(readListSearch({ category: 2026 })).toEqual({ category: '2026' });
});

it('A search that looks like a number stays text', () => {
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
])('Leaves out %j', (search) => {
  expect(readListSearch(search)).toEqual({});
});
