import { afterAll, beforeAll, expect, test } from 'vitest';
import { PUBLISHABLE_KEY } from '../src/http/keys.ts';
import { createSignedInUser } from './support/factors.ts';
import { changeSchema, createFilmTables } from './support/films.ts';
import { rawRequest } from './support/raw-request.ts';
import { startTestBackend, type TestBackend } from './support/test-backend.ts';

let api: TestBackend;
beforeAll(async () => {
  api = await startTestBackend();
  await createFilmTables(api);
});
afterAll(() => api.close());

const call = (method: string, path: string, body?: string, headers: Record<string, string> = {}) =>
  rawRequest(api, method, `rpc/${path}`, { body, headers });

test('A scalar is returned as a bare value, by POST and GET, with and without the optional argument', async () => {
  expect((await api.visitor.rpc('add', { a: 1, b: 2 })).data).toBe(3);
  expect((await api.visitor.rpc('add', { a: 1 })).data).toBe(11);
  expect((await api.visitor.rpc('add', { a: '1' }, { get: true })).data).toBe(11);
  const { text, headers } = await call('GET', 'add?a=1&b=2');
  expect([text, headers.get('content-type')]).toEqual(['3', 'application/json; charset=utf-8']);
});

test('Returned table rows can be filtered, ordered, limited, counted and embed related rows', async () => {
  const { data, count, status } = await api.visitor
    .rpc('films_since', { since: 1960 }, { count: 'exact' })
    .select('title, directors(name)')
    .gt('rating', 7)
    .order('year', { ascending: false })
    .limit(1);
  expect(data).toEqual([{ title: 'Parasite', directors: { name: 'Bong, Joon-ho' } }]);
  expect([count, status]).toEqual([3, 206]);
});

test('A row is returned as an object, a set of values as a list, and a table as a list of objects', async () => {
  expect((await api.visitor.rpc('best_film').select('title')).data).toEqual({ title: 'Parasite' });
  expect((await api.visitor.rpc('names')).data).toEqual(['Corinne Marchand', 'Song Kang-ho', 'Sandrine Bonnaire']);
  expect((await api.visitor.rpc('pairs').eq('n', 2)).data).toEqual([{ n: 2, word: 'two' }]);
  expect((await api.visitor.rpc('pairs').eq('n', 2).single()).data).toEqual({ n: 2, word: 'two' });
  expect((await api.visitor.rpc('pairs').single()).error).toMatchObject({ code: 'PGRST116' });
});

test('A function without a result returns 204, and can only write by POST', async () => {
  expect(await call('POST', 'rename_film', '{"film_id":4,"new_title":"Named"}')).toMatchObject({
    status: 204,
    text: '',
  });
  expect((await api.visitor.from('films').select('title').eq('id', 4).single()).data).toEqual({ title: 'Named' });
  expect(await call('GET', 'rename_film?film_id=4&new_title=Other')).toMatchObject({
    status: 405,
    json: { code: '25006', message: 'cannot execute UPDATE in a read-only transaction' },
  });
  expect((await api.visitor.from('films').select('title').eq('id', 4).single()).data).toEqual({ title: 'Named' });
});

test('A single unnamed parameter receives the whole body', async () => {
  expect((await call('POST', 'echo_body', '{"any":["thing"]}')).json).toEqual({ any: ['thing'] });
});

test('An unnamed parameter can only have the type text, bytea or JSON, and JSON can have any keys', async () => {
  await changeSchema(
    api,
    `create function public.json_size(jsonb) returns int language sql immutable as 'select length($1::text)';
    create function public.text_size(text) returns int language sql immutable as 'select length($1)';
    create function public.byte_size(bytea) returns int language sql immutable as 'select length($1)';
    create function public.int_size(int) returns int language sql immutable as 'select $1';
    create function public.either() returns text language sql immutable as $$ select 'nothing' $$;
    create function public.either(json) returns text language sql immutable as $$ select 'json' $$;
    create function public.either(bool) returns text language sql immutable as $$ select 'bool' $$;
    create function public.maybe() returns int language sql immutable as 'select 1';
    create function public.maybe(text default '') returns int language sql immutable as 'select 2';
    create function public.maybe(int default 3) returns int language sql immutable as 'select 3';
    create function public.missing(text default 'none') returns text language sql immutable as $$ select coalesce($1, 'null') $$;
    grant execute on function public.json_size, public.text_size, public.byte_size, public.int_size, public.either(),
      public.either(json), public.either(bool), public.maybe(), public.maybe(text), public.maybe(int),
      public.missing to anon`,
  );
  expect((await call('POST', 'json_size', '{"":{"a":1}}')).json).toBe(14);
  expect((await call('POST', 'json_size', '{"a":1,"b":2}')).json).toBe(16);
  expect((await call('POST', 'text_size', 'é{', { 'content-type': 'text/plain' })).json).toBe(2);
  expect((await call('POST', 'text_size', '{"":"x"}')).json).toBe(8);
  const response = await fetch(`${api.url}/rest/v1/rpc/byte_size`, {
    method: 'POST',
    headers: { apikey: PUBLISHABLE_KEY, 'content-type': 'application/octet-stream' },
    body: new Uint8Array([0, 255, 92, 120, 10]),
  });
  expect(await response.json()).toBe(5);
  expect(await call('POST', 'int_size', '{"":1}')).toMatchObject({
    status: 404,
    json: {
      code: 'PGRST202',
      message: 'Could not find the function public.int_size() in the schema cache',
      details:
        'Searched for the function public.int_size with parameter  or with a single unnamed json/jsonb parameter, but no matches were found in the schema cache.',
      hint: 'Perhaps you meant to call the function public.byte_size',
    },
  });
  expect((await api.visitor.rpc('either')).data).toBe('nothing');
  expect((await api.visitor.rpc('either', { '': true })).data).toBe('json');
  expect(await call('POST', 'maybe', '{}')).toMatchObject({
    status: 300,
    json: {
      code: 'PGRST203',
      message: 'Could not choose the best candidate function between: public.maybe(), public.maybe( => text)',
      details: null,
    },
  });
  expect((await call('GET', 'missing')).json).toBe('{}');
});

test('Arguments in a query or form are parsed as the type of their parameter, including JSON and text of any length', async () => {
  await changeSchema(
    api,
    `create function public.kinds(j json, b jsonb, n int[], c character, f public.actors, t text default 'none')
      returns json language sql immutable as $$
        select json_build_object('j', json_typeof(j), 'b', b -> 'a', 'n', n, 'c', c, 'f', (f).name, 't', t) $$;
    grant execute on function public.kinds to anon`,
  );
  const query = new URLSearchParams({ j: '[1]', b: '{"a":{"b":2}}', n: '{3,4}', c: 'long', f: '(9,"Ann B")' });
  const expected = { j: 'array', b: { b: 2 }, n: [3, 4], c: 'long', f: 'Ann B', t: 'none' };
  expect((await call('GET', `kinds?${query}`)).json).toEqual(expected);
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  expect((await call('POST', 'kinds', `${query}&t=x`, form)).json).toEqual({ ...expected, t: 'x' });
  const body = { j: [1], b: { a: { b: 2 } }, n: [3, 4], c: 'long', f: { id: 9, name: 'Ann B' } };
  expect((await call('POST', 'kinds', JSON.stringify(body))).json).toEqual(expected);
  expect(await call('GET', `kinds?${new URLSearchParams({ ...Object.fromEntries(query), j: '{' })}`)).toMatchObject({
    status: 400,
    json: { code: '22P02' },
  });
  expect((await call('POST', 'total', 'numbers=1&numbers=2', form)).json).toBe(3);
  expect((await call('POST', 'add', 'a=1&x=2', form)).json).toMatchObject({
    code: 'PGRST202',
    details:
      'Searched for the function public.add with parameters a, x, but no matches were found in the schema cache.',
  });
});

test('Variadic arguments can be passed as a list or repeated', async () => {
  expect((await api.visitor.rpc('total', { numbers: [1, 2, 3] })).data).toBe(6);
  expect((await call('GET', 'total?numbers=1&numbers=2')).json).toBe(3);
});

test('Arguments select the overload, and two matching overloads are ambiguous', async () => {
  expect((await api.visitor.rpc('overloaded', { a: 1 })).data).toBe('int');
  expect((await api.visitor.rpc('overloaded', { a: 1, b: 2 })).data).toBe('ints');
  expect(await call('POST', 'unclear', '{"a":1}')).toMatchObject({
    status: 300,
    json: {
      code: 'PGRST203',
      message:
        'Could not choose the best candidate function between: public.unclear(a => integer, b => integer), public.unclear(a => integer, c => text)',
      hint: 'Try renaming the parameters or the function itself in the database so function overloading can be resolved',
    },
  });
});

test('An unknown function or argument returns 404 with a suggestion', async () => {
  expect(await call('POST', 'ad', '{}')).toMatchObject({
    status: 404,
    json: {
      code: 'PGRST202',
      message: 'Could not find the function public.ad without parameters in the schema cache',
      details:
        'Searched for the function public.ad without parameters or with a single unnamed json/jsonb parameter, but no matches were found in the schema cache.',
      hint: 'Perhaps you meant to call the function public.add',
    },
  });
  expect((await call('GET', 'add?x=1&a=2')).json).toMatchObject({
    code: 'PGRST202',
    message: 'Could not find the function public.add(a, x) in the schema cache',
    details:
      'Searched for the function public.add with parameters a, x, but no matches were found in the schema cache.',
    hint: 'Perhaps you meant to call the function public.add(a, b)',
  });
});

test('A computed field cannot be called, and no other function is suggested for it', async () => {
  expect(await call('POST', 'title_length', '{"id":1}')).toMatchObject({
    status: 404,
    json: {
      code: 'PGRST202',
      message: 'Could not find the function public.title_length(id) in the schema cache',
      hint: null,
    },
  });
  expect((await call('POST', 'titles_length', '{}')).json).toMatchObject({ code: 'PGRST202' });
});

test('An error raised by a function sets the status and the error of the response', async () => {
  const fail = (code: string) => call('POST', 'fail', JSON.stringify({ code, message: 'no' }));
  expect(await fail('P0001')).toMatchObject({
    status: 400,
    json: { code: 'P0001', message: 'no', details: 'why', hint: 'how' },
  });
  const statuses = { PT418: 418, '42501': 401, '23503': 409, '22P02': 400, '40001': 500, '53300': 503, '28000': 403 };
  for (const [code, status] of Object.entries(statuses))
    expect([code, (await fail(code)).status]).toEqual([code, status]);
});

test('A function can read the caller and the request', async () => {
  const { json } = await call('GET', 'request_settings', undefined, { 'x-test': 'yes' });
  expect(json).toEqual({
    role: 'anon',
    method: 'GET',
    path: '/rest/v1/rpc/request_settings',
    header: 'yes',
    claim: 'anon',
    timeout: '3s',
  });
  const { client } = await createSignedInUser(api);
  expect((await client.rpc('request_settings')).data).toMatchObject({
    role: 'authenticated',
    method: 'POST',
    timeout: '8s',
  });
});

test('A function without a grant and unsupported methods are rejected', async () => {
  expect(await call('POST', 'restricted', '{}')).toMatchObject({ status: 401, json: { code: '42501' } });
  expect((await api.service.rpc('restricted')).error?.code ?? 'none').toBe('42501');
  expect(await call('DELETE', 'add')).toMatchObject({
    status: 405,
    json: { code: 'PGRST101', message: 'Cannot use the DELETE method on RPC' },
  });
});
