import { expect, it } from 'vitest';
import { readPeopleSearch } from './people-search.ts';

it('Reads the search text, status and page from the URL', () => {
  const search = { q: 'kari', standing: 'pending', page: 2 };
  expect(readPeopleSearch({ ...search, other: 'x' })).toEqual(search);
});

it.each([{ standing: '' }, { standing: 3 }, { q: '' }, { page: 0 }])('Ignores the invalid search %j', (search) => {
  expect(readPeopleSearch(search)).toEqual({});
});
