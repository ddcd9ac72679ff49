import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createSignedInUser } from './support/factors.ts';
import { createFilmTables } from './support/films.ts';
import { rawRequest } from './support/raw-request.ts';
import { startTestBackend, type TestBackend } from './support/test-backend.ts';

let api: TestBackend;
beforeAll(async () => {
  api = await startTestBackend();
  await createFilmTables(api);
});
beforeEach(() =>
  api.backend.database.script(`
    delete from public.films where id > 4;
    alter table public.films alter column id restart with 5;
    update public.films set title = 'Untitled' where id = 4;
  `),
);
afterAll(() => api.close());

const send = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  rawRequest(api, method, path, { body, headers });

async function titles(): Promise<unknown[]> {
  const { rows } = await api.backend.database.query('select title from public.films where id > 3 order by id');
  return rows.map(({ title }) => title);
}

test('An insert returns 201 without a body unless rows are requested', async () => {
  const minimal = await send('POST', 'films', { title: 'Minimal' });
  expect(minimal.status).toBe(201);
  expect(minimal.text).toBe('');
  expect(minimal.headers.get('content-range')).toBe('*/*');

  const { data, status } = await api.visitor
    .from('films')
    .insert({ title: 'Full', year: 2000 })
    .select('title,rating')
    .single();
  expect(status).toBe(201);
  expect(data).toEqual({ title: 'Full', rating: 5 });
});

test('The location of a new row is returned if only headers are requested', async () => {
  const { headers, status } = await send('POST', 'films', { id: 9, title: 'Nine' }, { prefer: 'return=headers-only' });
  expect(status).toBe(201);
  expect(headers.get('location')).toBe('/films?id=eq.9');
  expect(headers.get('preference-applied')).toBe('return=headers-only');
});

test('Several rows are inserted in one transaction', async () => {
  const { status, error } = await api.visitor.from('films').insert([{ title: 'A' }, { title: 'B' }]);
  expect([status, error]).toEqual([201, null]);
  const failure = await api.visitor.from('films').insert([
    { title: 'C', year: 2000 },
    { title: 'D', year: 1 },
  ]);
  expect(failure).toMatchObject({ status: 400, error: { code: '23514' } });
  expect(await titles()).toEqual(['Untitled', 'A', 'B']);
});

test('Rows with different keys are rejected unless the columns are specified', async () => {
  const rows = [{ title: 'A', rating: 1 }, { title: 'B' }];
  expect(await send('POST', 'films', rows)).toMatchObject({
    status: 400,
    json: { code: 'PGRST102', message: 'All object keys must match' },
  });
  const nulls = await send('POST', 'films?columns=title,rating&select=rating', rows, {
    prefer: 'return=representation',
  });
  expect(nulls).toMatchObject({ status: 201, json: [{ rating: 1 }, { rating: null }] });
  const defaults = await send('POST', 'films?columns=id,title,rating&select=rating', rows, {
    prefer: 'return=representation, missing=default',
  });
  expect(defaults).toMatchObject({ status: 201, json: [{ rating: 1 }, { rating: 5 }] });
  expect(defaults.headers.get('preference-applied')).toBe('missing=default, return=representation');
});

test('An empty object inserts a row of defaults, and an empty list inserts nothing', async () => {
  await api.backend.database.script('alter table public.films alter column title set default $$Default$$');
  expect(await send('POST', 'films?select=title', {}, { prefer: 'return=representation' })).toMatchObject({
    status: 201,
    json: [{ title: 'Default' }],
  });
  expect(await send('POST', 'films', [], { prefer: 'return=representation' })).toMatchObject({ status: 201, json: [] });
});

test('Invalid JSON and an unknown column are rejected', async () => {
  expect(await send('POST', 'films', '{nope')).toMatchObject({
    status: 400,
    json: { code: 'PGRST102', message: 'Empty or invalid json', details: null, hint: null },
  });
  expect(await send('POST', 'films', { nope: 1 })).toMatchObject({
    status: 400,
    json: { code: 'PGRST204', message: "Could not find the 'nope' column of 'films' in the schema cache" },
  });
  expect(await send('POST', 'films', 'x', { 'content-type': 'image/png' })).toMatchObject({
    status: 400,
    json: { code: 'PGRST102', message: 'Content-Type not acceptable: image/png' },
  });
});

test('CSV and form bodies can be inserted as rows', async () => {
  const csv = 'title,year,slug\r\n"A, ""quoted""",2001,NULL\nB,2002,b\n';
  const response = await send('POST', 'films?select=title,year,slug', csv, {
    'content-type': 'text/csv',
    prefer: 'return=representation',
  });
  expect(response.json).toEqual([
    { title: 'A, "quoted"', year: 2001, slug: null },
    { title: 'B', year: 2002, slug: 'b' },
  ]);
  const form = await send('POST', 'films?select=title', 'title=From+a+form', {
    'content-type': 'application/x-www-form-urlencoded',
    prefer: 'return=representation',
  });
  expect(form.json).toEqual([{ title: 'From a form' }]);
});

test('A merging upsert returns 201 if at least one row is new, and 200 otherwise', async () => {
  const upsert = (rows: object[]) =>
    send('POST', 'films?on_conflict=slug&select=title', rows, {
      prefer: 'return=representation,resolution=merge-duplicates',
    });
  const first = await upsert([{ slug: 'x', title: 'X' }]);
  expect(first).toMatchObject({ status: 201, json: [{ title: 'X' }] });
  expect(first.headers.get('preference-applied')).toBe('resolution=merge-duplicates, return=representation');
  expect(await upsert([{ slug: 'x', title: 'X again' }])).toMatchObject({ status: 200, json: [{ title: 'X again' }] });
  expect(
    (
      await upsert([
        { slug: 'x', title: 'X' },
        { slug: 'y', title: 'Y' },
      ])
    ).status,
  ).toBe(201);
});

test('An upsert that ignores duplicates keeps existing rows, and returns only new rows', async () => {
  const { data } = await api.visitor
    .from('films')
    .upsert(
      [
        { id: 4, title: 'Changed' },
        { id: 20, title: 'New' },
      ],
      { ignoreDuplicates: true },
    )
    .select('title');
  expect(data).toEqual([{ title: 'New' }]);
  expect(await titles()).toEqual(['Untitled', 'New']);
});

test('An update changes matching rows, and returns their number', async () => {
  const { status, headers } = await send('PATCH', 'films?id=eq.4', { title: 'Titled' });
  expect(status).toBe(204);
  expect(headers.get('content-range')).toBe('0-0/*');
  const update = await api.visitor
    .from('films')
    .update({ title: 'Again' }, { count: 'exact' })
    .eq('id', 4)
    .select('title, directors(name)');
  expect(update).toMatchObject({ status: 200, count: 1, data: [{ title: 'Again', directors: null }] });
  const noMatch = await send('PATCH', 'films?id=eq.99', { title: 'x' });
  expect([noMatch.status, noMatch.headers.get('content-range')]).toEqual([204, '*/*']);
});

test('Conditions joined by or restrict an update, and its response contains rows that no longer match', async () => {
  const { data } = await api.visitor
    .from('films')
    .update({ title: 'Renamed' })
    .or('title.eq.Untitled,id.eq.99')
    .select('title');
  expect(data).toEqual([{ title: 'Renamed' }]);
});

test('A delete returns 204 or the deleted rows', async () => {
  await send('POST', 'films', [{ title: 'A' }, { title: 'B' }]);
  const { data } = await api.visitor.from('films').delete().eq('title', 'A').select('title');
  expect(data).toEqual([{ title: 'A' }]);
  const { status, count } = await api.visitor.from('films').delete({ count: 'exact' }).eq('title', 'B');
  expect([status, count]).toEqual([204, 1]);
  expect(await titles()).toEqual(['Untitled']);
});

test('Updates and deletes without a filter are rejected', async () => {
  expect(await send('DELETE', 'films')).toMatchObject({
    status: 400,
    json: { code: '21000', message: 'DELETE requires a WHERE clause' },
  });
  expect(await send('PATCH', 'films', { title: 'x' })).toMatchObject({
    status: 400,
    json: { code: '21000', message: 'UPDATE requires a WHERE clause' },
  });
  expect(await titles()).toEqual(['Untitled']);
});

test('A write that must affect one row is rolled back if it affects a different number of rows', async () => {
  const multipleRows = await api.visitor.from('films').update({ title: 'Same' }).gt('id', 0).select().single();
  expect(multipleRows).toMatchObject({
    status: 406,
    error: { code: 'PGRST116', details: 'The result contains 4 rows' },
  });
  expect(await titles()).toEqual(['Untitled']);
});

test('A write beyond max-affected is rolled back if handling is strict, and committed if lenient', async () => {
  const strictResponse = await send(
    'PATCH',
    'films?director_id=eq.1',
    { rating: 1 },
    { prefer: 'handling=strict, max-affected=1' },
  );
  expect(strictResponse).toMatchObject({
    status: 400,
    json: {
      code: 'PGRST124',
      message: 'Query result exceeds max-affected preference constraint',
      details: 'The query affects 2 rows',
    },
  });
  const { data } = await api.visitor.from('films').select('rating').eq('director_id', 1).order('id');
  expect(data).toEqual([{ rating: 7.9 }, { rating: 7.7 }]);
  const change = { released: true };
  const lenient = await send('PATCH', 'films?director_id=eq.1', change, { prefer: 'handling=lenient, max-affected=1' });
  expect(lenient.status).toBe(204);
  const allowedResponse = await send('PATCH', 'films?director_id=eq.1', change, {
    prefer: 'handling=strict, max-affected=2',
  });
  expect(allowedResponse.status).toBe(204);
  expect(allowedResponse.headers.get('preference-applied')).toBe('handling=strict, max-affected=2');
});

test('PUT replaces or creates the row with the key in the filter', async () => {
  const representation = { prefer: 'return=representation' };
  expect(await send('PUT', 'actors?id=eq.9', { id: 9, name: 'Nine' }, representation)).toMatchObject({ status: 201 });
  expect(await send('PUT', 'actors?id=eq.9', { id: 9, name: 'Neuf' }, representation)).toMatchObject({
    status: 200,
    json: [{ id: 9, name: 'Neuf' }],
  });
  expect(await send('PUT', 'actors?id=eq.9', { id: 8, name: 'Eight' })).toMatchObject({
    status: 400,
    json: { code: 'PGRST115' },
  });
  expect(await send('PUT', 'actors?name=eq.x', { id: 8, name: 'Eight' })).toMatchObject({
    status: 405,
    json: { code: 'PGRST105' },
  });
  expect(await send('PUT', 'actors?id=eq.9&limit=1', { id: 9, name: 'x' })).toMatchObject({
    status: 400,
    json: { code: 'PGRST114' },
  });
  await send('DELETE', 'actors?id=eq.9');
});

test('A violated key returns 409', async () => {
  expect(await send('POST', 'films', { id: 1, title: 'Again' })).toMatchObject({
    status: 409,
    json: { code: '23505', details: 'Key (id)=(1) already exists.' },
  });
  expect(await send('POST', 'films', { title: 'x', director_id: 99 })).toMatchObject({
    status: 409,
    json: { code: '23503' },
  });
});

test('Writing to a table without a grant returns 401 for a visitor and 403 for a signed-in user', async () => {
  expect(await send('POST', 'secrets', { id: 2, word: 'x' })).toMatchObject({ status: 401, json: { code: '42501' } });
  const { client } = await createSignedInUser(api);
  expect(await client.from('secrets').insert({ id: 2, word: 'x' })).toMatchObject({
    status: 403,
    error: { code: '42501' },
  });
});
