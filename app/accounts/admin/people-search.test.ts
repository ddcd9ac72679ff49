import { expect, it } from 'vitest';
import { readPeopleSearch } from './people-search.ts';

it('Reads search, standing and page', () => {
  const search = { q: 'kari', standing: 'pending', page: 2 };
  expect(readPeopleSearch({ ...search, other: 'x' })).toEqual(search);
});

it.each([{ standing: '' }, { standing: 3 }, { q: '' }, { page: 0 }])('Leaves out %j', (search) => {
  expect(readPeopleSearch(search)).toEqual({});
});
