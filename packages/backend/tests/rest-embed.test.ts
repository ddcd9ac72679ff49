import { afterAll, beforeAll, expect, test } from 'vitest';
import { changeSchema, createFilmTables } from './support/films.ts';
import { rawRequest } from './support/raw-request.ts';
import { startTestBackend, type TestBackend } from './support/test-backend.ts';

let api: TestBackend;
beforeAll(async () => {
  api = await startTestBackend();
  await createFilmTables(api);
});
afterAll(() => api.close());

const get = async (path: string, headers: Record<string, string> = {}) =>
  (await rawRequest(api, 'GET', path, { headers })).json;

test('To-one, to-many and many-to-many resources can be nested', async () => {
  expect(await get('films?select=title,directors(name),actors(name)&id=in.(1,4)&order=id')).toEqual([
    { title: 'Cléo', directors: { name: 'Agnès Varda' }, actors: [{ name: 'Corinne Marchand' }] },
    { title: 'Untitled', directors: null, actors: [] },
  ]);
  expect(
    await get('directors?id=eq.1&select=name,films(title,roles(character,actors(name)))&films.order=year.desc'),
  ).toEqual([
    {
      name: 'Agnès Varda',
      films: [
        { title: 'Vagabond', roles: [{ character: 'Mona', actors: { name: 'Sandrine Bonnaire' } }] },
        { title: 'Cléo', roles: [{ character: 'Cléo', actors: { name: 'Corinne Marchand' } }] },
      ],
    },
  ]);
});

test('A unique foreign key makes both sides one-to-one', async () => {
  expect(await get('films?id=lte.2&order=id&select=title,posters(url)')).toEqual([
    { title: 'Cléo', posters: { url: 'cleo.png' } },
    { title: 'Vagabond', posters: null },
  ]);
  expect(await get('posters?select=url,films(title)')).toEqual([{ url: 'cleo.png', films: { title: 'Cléo' } }]);
});

test('An embedded resource can be renamed, and selected by column or constraint', async () => {
  expect(await get('films?id=eq.1&select=by:directors(name)')).toEqual([{ by: { name: 'Agnès Varda' } }]);
  expect(await get('films?id=eq.1&select=director_id(name)')).toEqual([{ director_id: { name: 'Agnès Varda' } }]);
  expect(await get('films?id=eq.1&select=d:films_director_id_fkey(name)')).toEqual([{ d: { name: 'Agnès Varda' } }]);
  expect(await get('films?id=eq.1&select=directors!director_id(name)')).toEqual([
    { directors: { name: 'Agnès Varda' } },
  ]);
});

test('Conditions, order and limit apply to embedded resources', async () => {
  expect(await get('directors?select=id,films(title)&films.year=gt.1970&order=id')).toEqual([
    { id: 1, films: [{ title: 'Vagabond' }] },
    { id: 2, films: [{ title: 'Parasite' }] },
  ]);
  expect(await get('directors?id=eq.1&select=films(title)&films.order=year.desc&films.limit=1')).toEqual([
    { films: [{ title: 'Vagabond' }] },
  ]);
  expect(await get('directors?id=eq.1&select=films(title)&films.order=year&films.offset=1')).toEqual([
    { films: [{ title: 'Vagabond' }] },
  ]);
  expect(await get('directors?id=eq.1&select=films(title)&films.or=(year.eq.1962,title.eq.nope)')).toEqual([
    { films: [{ title: 'Cléo' }] },
  ]);
});

test('!inner keeps and counts only the rows with an embedded resource', async () => {
  const { data, count } = await api.visitor
    .from('directors')
    .select('id, films!inner(title)', { count: 'exact' })
    .eq('films.title', 'Parasite');
  expect(data).toEqual([{ id: 2, films: [{ title: 'Parasite' }] }]);
  expect(count).toBe(1);
  const toOne = await api.visitor
    .from('films')
    .select('id, directors!inner()')
    .eq('directors.name', 'Agnès Varda')
    .order('id');
  expect(toOne.data).toEqual([{ id: 1 }, { id: 2 }]);
});

test('Rows can be filtered by whether they have an embedded resource', async () => {
  expect(await get('films?select=id,directors()&directors=is.null')).toEqual([{ id: 4 }]);
  expect(await get('films?select=id,actors()&actors=not.is.null&order=id')).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }]);
  expect(
    await get('films?select=id,directors(),posters()&or=(directors.is.null,posters.not.is.null)&order=id'),
  ).toEqual([{ id: 1 }, { id: 4 }]);
  expect(await get('films?select=id,directors()&directors=eq.1')).toMatchObject({
    code: 'PGRST120',
    message: "Bad operator on the 'directors' embedded resource",
    details: 'Only is null or not is null filters are allowed on embedded resources',
  });
});

test('Rows can be ordered by a column of a to-one resource, even if the column is not selected', async () => {
  expect(await get('films?select=id,directors()&directors=not.is.null&order=directors(name).desc,id')).toEqual([
    { id: 3 },
    { id: 1 },
    { id: 2 },
  ]);
  expect(await get('directors?select=id,films(id)&order=films(title)')).toMatchObject({
    code: 'PGRST118',
    message: "A related order on 'films' is not possible",
    details: "'directors' and 'films' do not form a many-to-one or one-to-one relationship",
  });
  expect(await get('films?order=directors(name)')).toMatchObject({ code: 'PGRST108' });
});

test('A spread resource becomes columns with single values or lists', async () => {
  expect(await get('films?select=id,...directors(director:name,born)&id=in.(1,4)&order=id')).toEqual([
    { id: 1, director: 'Agnès Varda', born: '1928-05-30' },
    { id: 4, director: null, born: null },
  ]);
  expect(await get('directors?select=id,...films(title)&id=eq.1&films.order=year')).toEqual([
    { id: 1, title: ['Cléo', 'Vagabond'] },
  ]);
  expect(await get('roles?select=character,...films(title,...directors(name))&film_id=eq.3')).toEqual([
    { character: 'Ki-taek', title: 'Parasite', name: 'Bong, Joon-ho' },
  ]);
});

test('A foreign key from a table to itself creates two relationships', async () => {
  // Visitors cannot embed a table within itself.
  const service = { apikey: api.backend.keys.secretKey };
  expect(await get('directors?select=name,mentor_id(name)&id=eq.2', service)).toEqual([
    { name: 'Bong, Joon-ho', mentor_id: { name: 'Agnès Varda' } },
  ]);
  expect(await get('directors?select=name,pupils:directors(name)&id=eq.1', service)).toEqual([
    { name: 'Agnès Varda', pupils: [{ name: 'Bong, Joon-ho' }] },
  ]);
});

test('Columns can have names that the generated SQL also uses', async () => {
  await changeSchema(
    api,
    'create table public.odd (id int primary key, "row" text, value text, "__present" text); grant select, insert on public.odd to anon',
  );
  const row = { id: 1, row: 'r', value: 'v', __present: 'p' };
  expect((await api.visitor.from('odd').insert(row).select()).data).toEqual([row]);
  expect((await api.visitor.from('odd').select()).data).toEqual([row]);
});

test('Rows can be counted through an embedded resource', async () => {
  expect(await get('directors?select=id,films(count)&order=id')).toEqual([
    { id: 1, films: [{ count: 2 }] },
    { id: 2, films: [{ count: 1 }] },
  ]);
});

test('Two foreign keys to one table are ambiguous without a hint', async () => {
  const response = await rawRequest(api, 'GET', 'screenings?select=id,films(title)');
  expect(response).toMatchObject({
    status: 300,
    json: {
      code: 'PGRST201',
      message: "Could not embed because more than one relationship was found for 'screenings' and 'films'",
      hint: "Try changing 'films' to one of the following: 'films!screenings_closing_fkey', 'films!screenings_opening_film_id_fkey'. Find the desired relationship in the 'details' key.",
      details: [
        {
          cardinality: 'many-to-one',
          embedding: 'screenings with films',
          relationship: 'screenings_closing_fkey using screenings(closing_film_id) and films(id)',
        },
        { cardinality: 'many-to-one' },
      ],
    },
  });
  expect(
    await get('screenings?select=opening:films!opening_film_id(title),closing:films!screenings_closing_fkey(title)'),
  ).toEqual([{ opening: { title: 'Cléo' }, closing: { title: 'Parasite' } }]);
});

test('An unknown relationship is rejected with a suggestion', async () => {
  expect(await rawRequest(api, 'GET', 'films?select=director(name)')).toMatchObject({
    status: 400,
    json: {
      code: 'PGRST200',
      message: "Could not find a relationship between 'films' and 'director' in the schema cache",
      details:
        "Searched for a foreign key relationship between 'films' and 'director' in the schema 'public', but no matches were found.",
      hint: "Perhaps you meant 'directors' instead of 'director'.",
    },
  });
  expect(await get('films?actors.name=eq.x')).toMatchObject({
    code: 'PGRST108',
    message: "'actors' is not an embedded resource in this request",
    hint: "Verify that 'actors' is included in the 'select' query parameter.",
  });
});

test('A write can embed related rows in its response', async () => {
  const { data } = await api.visitor
    .from('films')
    .update({ released: false })
    .eq('id', 3)
    .select('title, title_length, directors(name), actors(name)');
  expect(data).toEqual([
    { title: 'Parasite', title_length: 8, directors: { name: 'Bong, Joon-ho' }, actors: [{ name: 'Song Kang-ho' }] },
  ]);
});
