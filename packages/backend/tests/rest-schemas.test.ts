import { afterAll, beforeAll, expect, test } from 'vitest';
import { OperatorError } from '../src/database/operator-error.ts';
import { changeSchema, createFilmTables } from './support/films.ts';
import { rawRequest } from './support/raw-request.ts';
import { startTestBackend, type TestBackend } from './support/test-backend.ts';

let api: TestBackend;
beforeAll(async () => {
  // `extensions` is used because it always exists. Its name has no special meaning here.
  api = await startTestBackend({ REST_SCHEMAS: 'public, extensions' });
  await createFilmTables(api);
  await changeSchema(api, EXTENSIONS);
});
afterAll(() => api.close());

const EXTENSIONS = `
  create type extensions.mood as enum ('calm');
  create table extensions.films (id int primary key, mood extensions.mood default 'calm', seen_by int);
  create table extensions.viewers (id int primary key, name text);
  alter table extensions.films add foreign key (seen_by) references extensions.viewers (id);
  create table extensions.reviews (id int primary key, film_id int references public.films (id));
  insert into extensions.viewers values (1, 'Ann');
  insert into extensions.films values (100, 'calm', 1);
  create function extensions.moods(selected extensions.mood) returns setof extensions.films language sql stable
    as 'select * from extensions.films where mood = selected';
  create function extensions.seen(extensions.viewers) returns setof extensions.films language sql stable
    as 'select * from extensions.films where seen_by = $1.id';
  create function extensions.read_search_path() returns text language sql stable as $$ select current_setting('search_path') $$;
  grant usage on schema extensions to anon;
  grant select, insert, update, delete on all tables in schema extensions to anon, service_role;
  grant execute on function extensions.moods, extensions.seen, extensions.read_search_path to anon, service_role;
`;

const inExtensions = { 'accept-profile': 'extensions' };

test('The first schema is the default, and the response names the schema', async () => {
  const first = await rawRequest(api, 'GET', 'films?select=id&id=eq.1');
  expect([first.json, first.headers.get('content-profile')]).toEqual([[{ id: 1 }], 'public']);
  const second = await rawRequest(api, 'GET', 'films', { headers: inExtensions });
  expect([second.json, second.headers.get('content-profile')]).toEqual([
    [{ id: 100, mood: 'calm', seen_by: 1 }],
    'extensions',
  ]);
  expect((await api.visitor.schema('extensions').from('films').select('viewers(name)')).data).toEqual([
    { viewers: { name: 'Ann' } },
  ]);
});

test('Writes and function calls use the schema that the client selects', async () => {
  const client = api.visitor.schema('extensions');
  expect((await client.from('films').insert({ id: 101 }).select('id, viewers(name)')).data).toEqual([
    { id: 101, viewers: null },
  ]);
  expect((await client.from('films').update({ seen_by: 1 }).eq('id', 101).select('id')).data).toEqual([{ id: 101 }]);
  expect((await client.from('films').delete().eq('id', 101).select('id')).data).toEqual([{ id: 101 }]);
  expect((await client.rpc('moods', { selected: 'calm' }).select('id')).data).toEqual([{ id: 100 }]);
  expect((await client.from('viewers').select('seen(id)')).data).toEqual([{ seen: [{ id: 100 }] }]);
  expect((await client.rpc('read_search_path')).data).toBe('"extensions", "public"');
  expect(await rawRequest(api, 'POST', 'films', { body: { id: 1, title: 'x' }, headers: inExtensions })).toMatchObject({
    status: 409,
  });
});

test('Names and relationships cannot cross schemas', async () => {
  expect(await rawRequest(api, 'GET', 'directors', { headers: inExtensions })).toMatchObject({
    status: 404,
    json: { message: "Could not find the table 'extensions.directors' in the schema cache" },
  });
  expect((await api.visitor.schema('extensions').from('reviews').select('films(id)')).error).toMatchObject({
    code: 'PGRST200',
    details:
      "Searched for a foreign key relationship between 'reviews' and 'films' in the schema 'extensions', but no matches were found.",
  });
  expect((await api.visitor.schema('extensions').rpc('add', { a: 1 })).error).toMatchObject({
    code: 'PGRST202',
    message: 'Could not find the function extensions.add(a) in the schema cache',
  });
});

test.each(['auth', 'storage', 'backend', 'pg_catalog', 'nope', ''])('The schema "%s" is not exposed', async (name) => {
  const rejection = {
    status: 406,
    json: {
      code: 'PGRST106',
      message: `Invalid schema: ${name}`,
      details: null,
      hint: 'Only the following schemas are exposed: public, extensions',
    },
  };
  expect(await rawRequest(api, 'GET', 'users', { headers: { 'accept-profile': name } })).toMatchObject(rejection);
  const write = { body: {}, headers: { 'content-profile': name } };
  expect(await rawRequest(api, 'POST', 'users', write)).toMatchObject(rejection);
});

test('The server does not start if a configured schema does not exist', async () => {
  await expect(startTestBackend({ REST_SCHEMAS: 'public,elsewhere' })).rejects.toThrow(
    new OperatorError('REST_SCHEMAS contains elsewhere, but the database has no such schema.'),
  );
});
