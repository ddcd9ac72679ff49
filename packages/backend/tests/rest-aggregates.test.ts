import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSignedInUser } from './support/factors.ts';
import { createFilmTables } from './support/films.ts';
import { rawRequest } from './support/raw-request.ts';
import { startTestBackend, type TestBackend } from './support/test-backend.ts';

let api: TestBackend;
beforeAll(async () => {
  api = await startTestBackend({ REST_AGGREGATES: 'on' });
  await createFilmTables(api);
});
afterAll(() => api.close());

const get = async (path: string, headers: Record<string, string> = {}) =>
  (await rawRequest(api, 'GET', path, { headers })).json;
/** Headers of the service role, which is allowed to embed a table in itself. */
const service = () => ({ apikey: api.backend.keys.secretKey });

test('Rows can be aggregated with count, sum, average, minimum and maximum', async () => {
  expect(await get('films?select=year.count(),year.min(),year.max(),year.sum(),rating.avg()')).toEqual([
    { count: 3, min: 1962, max: 2019, sum: 5966, avg: expect.closeTo(8.033, 3) },
  ]);
  expect(await get('films?select=all:count(),directed:director_id.count()&id=gt.2')).toEqual([{ all: 2, directed: 1 }]);
  expect(await get('films?select=count()&id=gt.100')).toEqual([{ count: 0 }]);
});

test('Aggregates are grouped by the other selected columns', async () => {
  expect(await get('films?select=director_id,films:count(),last:year.max()&order=director_id.nullsfirst')).toEqual([
    { director_id: null, films: 1, last: null },
    { director_id: 1, films: 2, last: 1985 },
    { director_id: 2, films: 1, last: 2019 },
  ]);
  expect(await get('directors?select=country:facts->country->>code,count()')).toEqual(
    expect.arrayContaining([
      { country: null, count: 1 },
      { country: 'BE', count: 1 },
    ]),
  );
  expect(await get('directors?select=*,count()&id=eq.1')).toMatchObject([{ id: 1, name: 'Agnès Varda', count: 1 }]);
});

test('Casts apply to the input and the output of an aggregate', async () => {
  expect(await get('films?select=n:slug::text.count()::text,year::text.max()')).toEqual([{ n: '3', max: '2019' }]);
  expect(await get('directors?select=facts->country->>code::text.max()')).toEqual([{ max: 'BE' }]);
});

test('Embedded resources are aggregated per parent row and can be used for grouping', async () => {
  expect(await get('directors?select=name,films(count(),year.max())&order=id')).toEqual([
    { name: 'Agnès Varda', films: [{ count: 2, max: 1985 }] },
    { name: 'Bong, Joon-ho', films: [{ count: 1, max: 2019 }] },
  ]);
  expect(await get('films?select=count(),directors(name)&director_id=not.is.null')).toEqual(
    expect.arrayContaining([
      { count: 2, directors: { name: 'Agnès Varda' } },
      { count: 1, directors: { name: 'Bong, Joon-ho' } },
    ]),
  );
  expect(await get('films?select=released,actors(name),count()&id=lt.2')).toEqual([
    { released: true, actors: [{ name: 'Corinne Marchand' }], count: 1 },
  ]);
});

test('A spread resource is aggregated and grouped with its parent rows, across several levels', async () => {
  expect(await get('films?select=year.max(),...directors(name,id.count())&order=directors(name).desc')).toEqual([
    { max: null, name: null, count: 0 },
    { max: 2019, name: 'Bong, Joon-ho', count: 1 },
    { max: 1985, name: 'Agnès Varda', count: 2 },
  ]);
  expect(
    await get('roles?select=...films(...directors(name,count()),year.sum(),longest:year.max())&order=films(name)'),
  ).toEqual([
    { sum: 3947, longest: 1985, name: 'Agnès Varda', count: 2 },
    { sum: 2019, longest: 2019, name: 'Bong, Joon-ho', count: 1 },
  ]);
  expect(await get('roles?select=...films(directors(name),posters(url),year.sum())&film_id=eq.1')).toEqual([
    { directors: { name: 'Agnès Varda' }, posters: { url: 'cleo.png' }, sum: 1962 },
  ]);
  expect(await get('roles?select=count(),...films(...directors(...films(title)))&film_id=eq.3', service())).toEqual([
    { count: 1, title: ['Parasite'] },
  ]);
  expect(await get('actors?select=roles(...films(year.max()))&id=eq.2')).toEqual([{ roles: [{ max: 2019 }] }]);
});

test('The results of a function and of a write can be aggregated', async () => {
  expect((await api.visitor.rpc('films_since', { since: 1960 }).select('id.max(), count()')).data).toEqual([
    { max: 3, count: 3 },
  ]);
  const update = await api.visitor.from('films').update({ released: true }).lt('id', 3).select('year.sum()');
  expect(update.data).toEqual([{ sum: 3947 }]);
});

test('Aggregates within a to-many spread are rejected', async () => {
  expect(await rawRequest(api, 'GET', 'directors?select=id,...films(id.count())')).toMatchObject({
    status: 400,
    json: {
      code: 'PGRST127',
      message: 'Feature not implemented',
      details: 'Aggregates are not implemented for one-to-many or many-to-many spreads.',
    },
  });
  expect(await get('directors?select=count(),...films(title)&id=eq.2')).toEqual([{ count: 1, title: ['Parasite'] }]);
});

describe('Without REST_AGGREGATES', () => {
  let defaultApi: TestBackend;
  beforeAll(async () => {
    defaultApi = await startTestBackend();
    await createFilmTables(defaultApi);
  });
  afterAll(() => defaultApi.close());

  test.each([
    'films?select=count()',
    'films?select=year.sum()',
    'directors?select=id,films(year.max())',
    'films?select=...directors(id.count())',
    'rpc/films_since?since=1&select=count()',
  ])('%s is reserved for the service role', async (path) => {
    const rejection = { status: 400, json: { code: 'PGRST123', message: 'Use of aggregate functions is not allowed' } };
    expect(await rawRequest(defaultApi, 'GET', path)).toMatchObject(rejection);
    const { session } = await createSignedInUser(defaultApi);
    const userHeaders = { authorization: `Bearer ${session.access_token}` };
    expect(await rawRequest(defaultApi, 'GET', path, { headers: userHeaders })).toMatchObject(rejection);
    const service = { apikey: defaultApi.backend.keys.secretKey };
    expect((await rawRequest(defaultApi, 'GET', path, { headers: service })).status).toBe(200);
  });
});
