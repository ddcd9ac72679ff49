/** Other roles try the features of the table API that only the service role may use. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { changeSchema, createFilmTables } from '../../packages/backend/tests/support/films.ts';
import { rawRequest } from '../../packages/backend/tests/support/raw-request.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';

let api: TestBackend;
let service: Record<string, string>;
let callers: [string, Record<string, string>][];
beforeAll(async () => {
  api = await startTestBackend();
  await createFilmTables(api);
  await changeSchema(api, SAFE_SCHEMA);
  service = { apikey: api.backend.keys.secretKey };
  const bearer = async (role: 'client' | 'admin') => ({
    authorization: `Bearer ${(await api.signedIn(role)).token}`,
  });
  callers = [
    ['a visitor', {}],
    ['a client', await bearer('client')],
    ['an admin', await bearer('admin')],
  ];
});
afterAll(() => api.close());

/** A function that counts its calls, and functions that return rows of another table for a row. */
const SAFE_SCHEMA = `
  create table public.safe (tries int not null, code int not null);
  insert into public.safe values (0, 4711);
  grant select on public.safe to anon;
  create function public.open_safe(guess int) returns boolean language sql security definer set search_path = ''
    as 'update public.safe set tries = tries + 1 returning code = guess';
  create function public.again(films) returns setof public.films language sql stable
    as 'select * from public.films';
  create function public.note_reader(films) returns setof public.actors language sql volatile security definer
    as $$ insert into public.actors values (1000 + $1.id, 'read') returning * $$;
  create function public.closed(films) returns setof public.actors language sql stable as 'select * from public.actors';
  grant execute on function public.open_safe, public.again, public.note_reader to anon, authenticated, service_role;
`;

const countTries = async () => (await api.backend.database.query('select tries from public.safe')).rows[0]?.['tries'];

describe('A caller cannot roll a request back', () => {
  test('A function that counts guesses counts all of them, and the response does not mention a rollback', async () => {
    for (const [role, headers] of callers) {
      const before = Number(await countTries());
      const response = await rawRequest(api, 'POST', 'rpc/open_safe', {
        body: { guess: 1 },
        headers: { ...headers, prefer: 'tx=rollback' },
      });
      expect([role, response.json, response.headers.get('preference-applied')]).toEqual([role, false, null]);
      expect([role, Number(await countTries())]).toEqual([role, before + 1]);
    }
  });

  test('With strict handling, the request also causes no error', async () => {
    const prefer = 'handling=strict, tx=rollback, return=representation';
    const response = await rawRequest(api, 'POST', 'films', { body: { title: 'Stays' }, headers: { prefer } });
    expect([response.status, response.headers.get('preference-applied')]).toEqual([
      201,
      'return=representation, handling=strict',
    ]);
    expect((await api.visitor.from('films').select('title').eq('title', 'Stays')).data).toHaveLength(1);
  });

  test('The service role can roll back', async () => {
    const before = await countTries();
    const headers = { ...service, prefer: 'tx=rollback' };
    expect(await rawRequest(api, 'POST', 'rpc/open_safe', { body: { guess: 4711 }, headers })).toMatchObject({
      json: true,
    });
    expect(await countTries()).toBe(before);
  });
});

test('Only the service role can read plans, of any media type', async () => {
  for (const accept of [
    'application/vnd.pgrst.plan',
    'application/vnd.pgrst.plan+json; options=analyze|verbose',
    'application/vnd.pgrst.plan+text; for="text/csv"',
  ]) {
    for (const [role, headers] of callers) {
      for (const [method, path] of [
        ['GET', 'secrets'],
        ['POST', 'rpc/add'],
        ['DELETE', 'films?id=eq.1'],
      ] as const) {
        const response = await rawRequest(api, method, path, {
          headers: { ...headers, accept },
          ...(method === 'POST' ? { body: { a: 1 } } : {}),
        });
        expect([role, method, response.status, response.json]).toMatchObject([role, method, 406, { code: 'PGRST107' }]);
      }
    }
    expect((await rawRequest(api, 'GET', 'films', { headers: { ...service, accept } })).status).toBe(200);
  }
  const accept = 'application/vnd.pgrst.plan+json, application/json;q=0.5';
  const { json } = await rawRequest(api, 'GET', 'films?select=id&id=eq.1', { headers: { accept: accept } });
  expect(json).toEqual([{ id: 1 }]);
});

describe('Computed relationships have the same limits as others', () => {
  test('A computed relationship can neither reach the same table twice nor exceed the maximum depth and width', async () => {
    for (const path of [
      'films?select=id,again(id)',
      'directors?select=films(again(id))',
      `films?select=${Array.from({ length: 6 }, (_, n) => `a${n}:again(id)`)}`,
    ]) {
      expect(await rawRequest(api, 'GET', path)).toMatchObject({ status: 400, json: { code: 'PGRST190' } });
      expect((await rawRequest(api, 'GET', path, { headers: service })).status).toBe(200);
    }
  });

  test('They cannot write while they read, and need their own grant', async () => {
    expect(await rawRequest(api, 'GET', 'films?select=id,note_reader(name)&id=eq.1')).toMatchObject({
      status: 405,
      json: { code: '25006' },
    });
    expect(await rawRequest(api, 'GET', 'films?select=id,closed(name)')).toMatchObject({
      status: 401,
      json: { code: '42501', message: 'permission denied for function closed' },
    });
    expect((await api.service.from('actors').select('id').gt('id', 999)).data).toEqual([]);
  });
});

describe('The limits apply if all roles can use aggregates', () => {
  let site: TestBackend;
  beforeAll(async () => {
    site = await startTestBackend({ REST_AGGREGATES: 'on' });
    await createFilmTables(site);
  });
  afterAll(() => site.close());

  test.each([
    ['many aliases of one aggregate', `films?select=${Array.from({ length: 4 }, (_, n) => `a${n}:year.sum()`)}`],
    ['many aliases of count()', `films?select=${Array.from({ length: 4 }, (_, n) => `a${n}:count()`)}`],
    ['many aggregates', `directors?select=${Array.from({ length: 101 }, (_, n) => `a${n}:facts->k${n}::text.max()`)}`],
    ['an embed back to the same table', 'films?select=...directors(...films(id.count()))'],
  ])('%s', async (_title, path) => {
    expect(await rawRequest(site, 'GET', path)).toMatchObject({ status: 400, json: { code: 'PGRST190' } });
  });

  test('Hidden rows are neither counted nor summed', async () => {
    expect(await rawRequest(site, 'GET', 'secrets?select=count()')).toMatchObject({ status: 401 });
    await site.backend.database.query(
      `insert into public.posts (title, slug, status, content) values ('a', 'hidden-a', 'draft', 'x')`,
    );
    const { json } = await rawRequest(site, 'GET', 'posts?select=count()&slug=eq.hidden-a');
    expect(json).toEqual([{ count: 0 }]);
  });
});
