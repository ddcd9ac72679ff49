/** A request that would be expensive for the database is rejected before any SQL is generated. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { changeSchema, createFilmTables } from '../../packages/backend/tests/support/films.ts';
import { type RawResponse, rawRequest } from '../../packages/backend/tests/support/raw-request.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';

let api: TestBackend;
let member: Record<string, string>;
let service: Record<string, string>;
beforeAll(async () => {
  api = await startTestBackend({ RATE_LIMITS: 'on' });
  await createFilmTables(api);
  await changeSchema(
    api,
    `create function public.every_film(public.films) returns setof public.films language sql stable
       as 'select * from public.films';
     grant execute on function public.every_film to anon`,
  );
  member = { authorization: `Bearer ${(await api.signedIn('client')).token}` };
  service = { apikey: api.backend.keys.secretKey };
});
afterAll(() => api.close());

const get = (path: string, headers: Record<string, string> = {}) => rawRequest(api, 'GET', path, { headers });
const repeat = (count: number, part: (n: number) => string) => Array.from({ length: count }, (_, n) => part(n)).join();
const aliases = (count: number) => repeat(count, (n) => `a${n}:facts->k${n}`);
const filters = (count: number) => repeat(count, (n) => `id.neq.${n + 1000}`);

function expectRejected(response: RawResponse, code: string, message?: string): void {
  expect(response).toMatchObject({ status: 400, json: { code, ...(message ? { message } : {}) } });
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
    ['one embed with many aliases', `directors?select=id,${repeat(6, (n) => `e${n}:films(id)`)}`, 'embedded resources'],
    ['spread embeds', `roles?select=${repeat(6, () => '...films(id)')}`, 'embedded resources'],
    [
      'many aliases of one column',
      `films?select=${repeat(4, (n) => `a${n}:title`)}`,
      "selections of the column 'title'",
    ],
    [
      'many aliases of one column in an embed',
      `roles?select=films(${repeat(4, (n) => `a${n}:title`)})`,
      "selections of the column 'title'",
    ],
    [
      'many aliases of one JSON path',
      `directors?select=${repeat(4, (n) => `a${n}:facts->>k`)}`,
      "selections of the column 'facts'",
    ],
    ['many aliases of the row', 'films?select=*,*,*,*', "selections of the column '*'"],
    ['many JSON paths into one column', `directors?select=${aliases(101)}`, 'columns'],
    ['casts', `directors?select=${repeat(101, (n) => `a${n}:facts->k${n}::text`)}`, 'columns'],
    ['order terms', `films?order=${repeat(101, () => 'title.desc')}`, 'columns'],
    ['columns of an embed', `films?select=directors(${aliases(101)})`, 'columns'],
    ['order terms of an embed', `directors?select=films(id)&films.order=${repeat(101, () => 'title')}`, 'columns'],
    ['arguments of a call', `rpc/add?${Array.from({ length: 101 }, (_, n) => `a${n}=1`).join('&')}`, 'columns'],
    ['a repeated argument', `rpc/total?${Array(101).fill('numbers=1').join('&')}`, 'columns'],
    ['conditions in a group', `films?or=(${filters(200)})`, 'filters'],
    ['nested groups', `films?or=(${repeat(20, () => `and(${filters(10)})`)})`, 'filters'],
    ['parameters', `films?${Array.from({ length: 201 }, () => 'id=gt.0').join('&')}`, 'filters'],
    ['filters on an embed', `directors?select=id,films(id)&films.or=(${filters(200)})`, 'filters'],
    ['full-text searches', `films?or=(${repeat(6, () => 'title.wfts.a')})`, 'full-text searches'],
    ['long lists', `films?id=in.(${repeat(501, String)})`, 'values in lists'],
    ['long lists of one operator', `films?id=eq(any).{${repeat(501, String)}}`, 'values in lists'],
    ['many lists', `films?or=(${repeat(6, () => `id.in.(${repeat(100, String)})`)})`, 'values in lists'],
    ['wildcards', `films?title=like.${'*a%25'.repeat(11)}`, 'wildcards in patterns'],
    [
      'wildcards in a quantified pattern',
      `films?title=ilike(any).{${repeat(21, () => '*a')}}`,
      'wildcards in patterns',
    ],
  ])('%s', async (_title, path, subject) => {
    expectRejected(await get(path), 'PGRST190', `The request has too many ${subject}`);
  });

  test('calls to a function with form data are limited too', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const call = (count: number) =>
      rawRequest(api, 'POST', 'rpc/total', { body: Array(count).fill('numbers=1').join('&'), headers });
    expectRejected(await call(101), 'PGRST190', 'The request has too many columns');
    expect((await call(100)).json).toBe(100);
  });

  test('writes are limited too', async () => {
    const prefer = { prefer: 'return=representation' };
    const write = (method: string, path: string, body: unknown) =>
      rawRequest(api, method, path, { body, headers: prefer });
    expectRejected(await write('POST', 'films?select=directors(films(id))', { title: 'x' }), 'PGRST190');
    expectRejected(await write('PATCH', `films?or=(${filters(200)})`, { title: 'x' }), 'PGRST190');
    expectRejected(await write('DELETE', `films?or=(${filters(200)})`, undefined), 'PGRST190');
    expectRejected(await write('POST', 'films', Array(1001).fill({ title: 'x' })), 'PGRST190');
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
    ['five embeds', `directors?select=${repeat(5, (n) => `e${n}:films(id)`)}`],
    ['a row and a column twice', 'films?select=*,again:title,*'],
    ['100 columns', `directors?select=${aliases(100)}`],
    ['200 conditions', `films?or=(${filters(199)})`],
    ['a list of 500', `films?id=in.(${repeat(500, String)})`],
    ['a search in several columns', 'films?title=ilike.*a*&or=(title.ilike.*b*,slug.ilike.*c*,title.ilike.*100\\%25*)'],
    ['a row of the same table inside itself', 'directors?select=*,mentor:mentor_id(name)'],
    ['rows of the same table inside itself', 'directors?select=*,students:directors(name,students:directors(name))'],
    ['rows with their parent', 'directors?select=name,films(title,directors(name))'],
  ])('%s', async (_title, path) => {
    expect(await get(path)).toMatchObject({ status: 200 });
  });

  test('an escaped wildcard does not count', async () => {
    expect((await get(`films?title=like.*${'\\%25'.repeat(40)}*`)).status).toBe(200);
  });
});

test('Signed-in users have higher limits', async () => {
  for (const path of [
    'films?select=id,directors(films(id))',
    `directors?select=id,${repeat(6, (n) => `e${n}:films(id)`)}`,
    `directors?select=${aliases(101)}`,
    `films?or=(${filters(200)})`,
  ]) {
    expect([path, (await get(path, member)).status]).toEqual([path, 200]);
  }
  for (const path of [
    'films?select=directors(films(directors(films(id))))',
    `directors?select=id,${repeat(16, (n) => `e${n}:films(id)`)}`,
    `directors?select=${aliases(301)}`,
    `films?or=(${filters(500)})`,
  ]) {
    expectRejected(await get(path, member), 'PGRST190');
  }
});

test('The service role has no limits', async () => {
  for (const path of [
    'films?select=directors(films(directors(films(id))))',
    `directors?select=id,${repeat(16, (n) => `e${n}:films(id)`)}`,
    `films?or=(${filters(600)})`,
  ]) {
    expect([path, (await get(path, service)).status]).toEqual([path, 200]);
  }
});

describe('Only the service role can use regular expressions', () => {
  const conditions = [
    'title=match.^C',
    'title=imatch.^c',
    'title=not.match.^C',
    'title=match(any).{^C,^P}',
    'title=imatch(all).{c,l}',
    'or=(title.match.^C,id.eq.1)',
    'and=(id.gt.0,or(title.not.imatch.^c,id.eq.1))',
    'not.or=(title.match(any).{a},id.eq.1)',
  ];

  test.each(conditions)('films?%s', async (filter) => {
    const expected = { code: 'PGRST191', hint: "Use 'like' or 'ilike'." };
    expect(await get(`films?${filter}`)).toMatchObject({ status: 400, json: expected });
    expect(await get(`films?${filter}`, member)).toMatchObject({ status: 400, json: expected });
    expect(await get(`films?${filter}`, service)).toMatchObject({ status: 200 });
  });

  test('The same rule applies to the filters of embeds, calls and writes', async () => {
    expectRejected(await get('directors?select=films(id)&films.title=match.^C'), 'PGRST191');
    expectRejected(await get('rpc/films_since?since=1960&title=match.^C'), 'PGRST191');
    expectRejected(await rawRequest(api, 'PATCH', 'films?title=match.^C', { body: { year: 1 } }), 'PGRST191');
    expectRejected(await rawRequest(api, 'DELETE', 'films?title=match.^C'), 'PGRST191');
  });

  test('A setting allows regular expressions', async () => {
    const openSite = await startTestBackend({ REST_REGEX_FILTERS: 'on' });
    expect((await rawRequest(openSite, 'GET', 'posts?title=match.^A')).status).toBe(200);
    await openSite.close();
  });
});
