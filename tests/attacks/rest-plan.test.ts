/** A request that would be expensive for the database is rejected before any SQL is generated. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { changeSchema, createFilms } from '../../packages/backend/tests/support/films.ts';
import { type RawAnswer, rawRequest } from '../../packages/backend/tests/support/raw-request.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';

let api: TestBackend;
let member: Record<string, string>;
let service: Record<string, string>;
beforeAll(async () => {
  api = await startTestBackend({ RATE_LIMITS: 'on' });
  await createFilms(api);
  await changeSchema(
    api,
    `create function public.every_film(public.films) returns setof public.films language sql stable
       as 'select * from public.films';
     grant execute on function public.every_film to anon;
     create table public.every_film_known (); grant select on public.every_film_known to anon`,
    'every_film_known',
  );
  member = { authorization: `Bearer ${(await api.signedIn('client')).token}` };
  service = { apikey: api.backend.keys.secretKey };
});
afterAll(() => api.close());

const get = (path: string, headers: Record<string, string> = {}) => rawRequest(api, 'GET', path, { headers });
const times = (count: number, part: (n: number) => string) => Array.from({ length: count }, (_, n) => part(n)).join();
const aliases = (count: number) => times(count, (n) => `a${n}:facts->k${n}`);
const filters = (count: number) => times(count, (n) => `id.neq.${n + 1000}`);

function expectRefused(answer: RawAnswer, code: string, message?: string): void {
  expect(answer).toMatchObject({ status: 400, json: { code, ...(message ? { message } : {}) } });
}

describe('Requests of visitors are limited', () => {
  test.each([
    ['an embed back to the same table', 'films?select=id,directors(films(id))', "occurrences of 'films' on one path"],
    [
      'sibling rows for each row',
      'directors?select=name,mentor_id(directors(name))',
      "occurrences of 'directors' on one path",
    ],
    [
      'rows that share a row of another table',
      'actors?select=name,films(title,actors(name))',
      "occurrences of 'actors' on one path",
    ],
    [
      'the same rows of a function for each row',
      'films?select=title,every_film(title)',
      "occurrences of 'films' on one path",
    ],
    ['one embed with many aliases', `directors?select=id,${times(6, (n) => `e${n}:films(id)`)}`, 'embedded resources'],
    ['spread embeds', `roles?select=${times(6, () => '...films(id)')}`, 'embedded resources'],
    [
      'many aliases of one column',
      `films?select=${times(4, (n) => `a${n}:title`)}`,
      "selections of the column 'title'",
    ],
    [
      'many aliases of one column in an embed',
      `roles?select=films(${times(4, (n) => `a${n}:title`)})`,
      "selections of the column 'title'",
    ],
    [
      'many aliases of one JSON path',
      `directors?select=${times(4, (n) => `a${n}:facts->>k`)}`,
      "selections of the column 'facts'",
    ],
    ['many aliases of the row', 'films?select=*,*,*,*', "selections of the column '*'"],
    ['many JSON paths into one column', `directors?select=${aliases(101)}`, 'columns'],
    ['casts', `directors?select=${times(101, (n) => `a${n}:facts->k${n}::text`)}`, 'columns'],
    ['order terms', `films?order=${times(101, () => 'title.desc')}`, 'columns'],
    ['columns of an embed', `films?select=directors(${aliases(101)})`, 'columns'],
    ['order terms of an embed', `directors?select=films(id)&films.order=${times(101, () => 'title')}`, 'columns'],
    ['arguments of a call', `rpc/add?${Array.from({ length: 101 }, (_, n) => `a${n}=1`).join('&')}`, 'columns'],
    ['a repeated argument', `rpc/total?${Array(101).fill('numbers=1').join('&')}`, 'columns'],
    ['conditions in a group', `films?or=(${filters(200)})`, 'filters'],
    ['nested groups', `films?or=(${times(20, () => `and(${filters(10)})`)})`, 'filters'],
    ['parameters', `films?${Array.from({ length: 201 }, () => 'id=gt.0').join('&')}`, 'filters'],
    ['filters on an embed', `directors?select=id,films(id)&films.or=(${filters(200)})`, 'filters'],
    ['full-text searches', `films?or=(${times(6, () => 'title.wfts.a')})`, 'full-text searches'],
    ['long lists', `films?id=in.(${times(501, String)})`, 'values in lists'],
    ['long lists of one operator', `films?id=eq(any).{${times(501, String)}}`, 'values in lists'],
    ['many lists', `films?or=(${times(6, () => `id.in.(${times(100, String)})`)})`, 'values in lists'],
    ['wildcards', `films?title=like.${'*a%25'.repeat(11)}`, 'wildcards in patterns'],
    ['wildcards in a quantified pattern', `films?title=ilike(any).{${times(21, () => '*a')}}`, 'wildcards in patterns'],
  ])('%s', async (_what, path, what) => {
    expectRefused(await get(path), 'PGRST190', `The request has too many ${what}`);
  });

  test('calls of a function with a form are limited too', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const call = (count: number) =>
      rawRequest(api, 'POST', 'rpc/total', { body: Array(count).fill('numbers=1').join('&'), headers });
    expectRefused(await call(101), 'PGRST190', 'The request has too many columns');
    expect((await call(100)).json).toBe(100);
  });

  test('writes are limited too', async () => {
    const prefer = { prefer: 'return=representation' };
    const write = (method: string, path: string, body: unknown) =>
      rawRequest(api, method, path, { body, headers: prefer });
    expectRefused(await write('POST', 'films?select=directors(films(id))', { title: 'x' }), 'PGRST190');
    expectRefused(await write('PATCH', `films?or=(${filters(200)})`, { title: 'x' }), 'PGRST190');
    expectRefused(await write('DELETE', `films?or=(${filters(200)})`, undefined), 'PGRST190');
    expectRefused(await write('POST', 'films', Array(1001).fill({ title: 'x' })), 'PGRST190');
    expect((await get('films?title=eq.x')).json).toEqual([]);
  });

  test('the response contains the limit', async () => {
    const { json } = await get('films?select=id,directors(films(id))');
    expect(json).toEqual({
      code: 'PGRST190',
      message: "The request has too many occurrences of 'films' on one path",
      details: 'At most 1 are allowed for the role anon.',
      hint: 'Send several smaller requests instead.',
    });
  });
});

describe('The limits allow normal requests of visitors', () => {
  test.each([
    ['three levels of embeds', 'directors?select=name,films(title,roles(character,actors(name)))'],
    ['five embeds', `directors?select=${times(5, (n) => `e${n}:films(id)`)}`],
    ['a row and a column twice', 'films?select=*,again:title,*'],
    ['100 columns', `directors?select=${aliases(100)}`],
    ['200 conditions', `films?or=(${filters(199)})`],
    ['a list of 500', `films?id=in.(${times(500, String)})`],
    ['a search in several columns', 'films?title=ilike.*a*&or=(title.ilike.*b*,slug.ilike.*c*,title.ilike.*100\\%25*)'],
    ['a row of the same table inside itself', 'directors?select=*,mentor:mentor_id(name)'],
    ['rows of the same table inside itself', 'directors?select=*,students:directors(name,students:directors(name))'],
    ['rows with their parent', 'directors?select=name,films(title,directors(name))'],
  ])('%s', async (_what, path) => {
    expect(await get(path)).toMatchObject({ status: 200 });
  });

  test('an escaped wildcard does not count', async () => {
    expect((await get(`films?title=like.*${'\\%25'.repeat(40)}*`)).status).toBe(200);
  });
});

test('Signed-in users have higher limits', async () => {
  for (const path of [
    'films?select=id,directors(films(id))',
    `directors?select=id,${times(6, (n) => `e${n}:films(id)`)}`,
    `directors?select=${aliases(101)}`,
    `films?or=(${filters(200)})`,
  ]) {
    expect([path, (await get(path, member)).status]).toEqual([path, 200]);
  }
  for (const path of [
    'films?select=directors(films(directors(films(id))))',
    `directors?select=id,${times(16, (n) => `e${n}:films(id)`)}`,
    `directors?select=${aliases(301)}`,
    `films?or=(${filters(500)})`,
  ]) {
    expectRefused(await get(path, member), 'PGRST190');
  }
});

test('The service role has no limits', async () => {
  for (const path of [
    'films?select=directors(films(directors(films(id))))',
    `directors?select=id,${times(16, (n) => `e${n}:films(id)`)}`,
    `films?or=(${filters(600)})`,
  ]) {
    expect([path, (await get(path, service)).status]).toEqual([path, 200]);
  }
});

describe('Only the service role can use regular expressions', () => {
  const places = [
    'title=match.^C',
    'title=imatch.^c',
    'title=not.match.^C',
    'title=match(any).{^C,^P}',
    'title=imatch(all).{c,l}',
    'or=(title.match.^C,id.eq.1)',
    'and=(id.gt.0,or(title.not.imatch.^c,id.eq.1))',
    'not.or=(title.match(any).{a},id.eq.1)',
  ];

  test.each(places)('films?%s', async (filter) => {
    const expected = { code: 'PGRST191', hint: "Use 'like' or 'ilike'." };
    expect(await get(`films?${filter}`)).toMatchObject({ status: 400, json: expected });
    expect(await get(`films?${filter}`, member)).toMatchObject({ status: 400, json: expected });
    expect(await get(`films?${filter}`, service)).toMatchObject({ status: 200 });
  });

  test('Filters of an embed, of a call and of a write have the same rule', async () => {
    expectRefused(await get('directors?select=films(id)&films.title=match.^C'), 'PGRST191');
    expectRefused(await get('rpc/films_since?since=1960&title=match.^C'), 'PGRST191');
    expectRefused(await rawRequest(api, 'PATCH', 'films?title=match.^C', { body: { year: 1 } }), 'PGRST191');
    expectRefused(await rawRequest(api, 'DELETE', 'films?title=match.^C'), 'PGRST191');
  });

  test('A setting allows regular expressions', async () => {
    const open = await startTestBackend({ REST_REGEX_FILTERS: 'on' });
    expect((await rawRequest(open, 'GET', 'posts?title=match.^A')).status).toBe(200);
    await open.close();
  });
});
