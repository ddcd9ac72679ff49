import { afterAll, beforeAll, expect, test } from 'vitest';
import { PUBLISHABLE_KEY } from '../../packages/backend/src/http/keys.ts';
import { changeSchema, createFilmTables } from '../../packages/backend/tests/support/films.ts';
import { createCallers } from '../support/fuzz-callers.ts';
import { fuzzRest } from '../support/fuzz-rest.ts';
import { pick as pickWith, seededRandom } from '../support/rest-grammar.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';

const SEED = 20_261_121;
const QUERIES = 2000;
/**
 * Most of the time is spent on planning in Postgres, because each statement is new. bench/fuzz-rest.ts sends a million.
 */
const PLANS = 10_000;

let api: TestBackend;
beforeAll(async () => {
  api = await startTestBackend();
  await createFilmTables(api);
});
afterAll(() => api.close());

/** Valid requests that the mutations start from. */
const PATHS = [
  'films?select=id,title,directors!inner(name,born),...posters(url)&directors.name=eq.x&order=year.desc.nullslast',
  'films?select=facts:tags->0,year::text&or=(id.eq.1,and(year.gt.2000,not.tags.cs.{a,b}))&limit=2&offset=1',
  'films?title=like(any).{*a*,"b"}&id=in.(1,2,"3")&released=is.true&title=plfts(english).cat',
  'directors?select=facts->country->>code,films!director_id(count)&facts->awards->>0=not.is.null&films.limit=1',
  'roles?select=*,films(title),actors(name)&order=films(title).asc&film_id=isdistinct.2',
  'films?columns=title,year&on_conflict=id&select=id',
  'rpc/add?a=1&b=2',
  'rpc/films_since?since=1960&select=title&year=gt.1970&order=year',
  'rpc/total?numbers=1&numbers=2',
  'old_films?select=title&id=eq.1',
];
const TOKENS = [
  ...'()[]{}.,:;!"\'\\*%$&=|/-><#@ \t\n\0',
  ...[
    '->',
    '->>',
    '::',
    '...',
    '!inner',
    'not.',
    'and(',
    'or(',
    'eq.',
    'in.(',
    'is.null',
    'select=',
    'order=',
    'limit=',
  ],
  ...[
    "';drop table secrets;--",
    '" or 1=1 --',
    '$1',
    '$$',
    '%00',
    '%zz',
    '%27',
    '%22',
    '%F0%9F%98%80',
    '\u202e',
    '9'.repeat(20),
  ],
  ...['constructor', '__proto__', '::constructor', 'hasOwnProperty'],
  ...['pg_class', 'secrets', 'auth.users', 'current_user', 'word', 'null', '-1', '1e309', 'NaN', 'x'.repeat(300)],
];
const BODIES = [
  '{"title":"x"}',
  '[{"title":"x"},{"year":1}]',
  '{}',
  '[]',
  'null',
  '"x"',
  '{"id":1e400}',
  '[[1]]',
  '{"a":"\\u0000"}',
  '{',
  '',
];
const HEADERS: Record<string, string>[] = [
  {},
  { prefer: 'return=representation, count=exact' },
  { prefer: 'resolution=merge-duplicates, missing=default, return=headers-only' },
  { prefer: 'handling=strict, max-affected=0, nonsense' },
  { accept: 'text/csv' },
  { accept: 'constructor', prefer: 'constructor=x, __proto__=y' },
  { prefer: 'constructor=x, __proto__=y' },
  { accept: 'application/vnd.pgrst.object+json;nulls=stripped' },
  { range: '99999999999-', prefer: 'count=estimated' },
  { 'content-type': 'text/csv' },
];

function mutate(path: string, random: (limit: number) => number): string {
  let mutated = path;
  for (let edits = random(4); edits > 0; edits--) {
    const position = random(mutated.length);
    const deleteCount = random(3) === 0 ? random(8) : 0;
    const token = random(4) === 0 ? '' : (TOKENS[random(TOKENS.length)] ?? '');
    mutated = mutated.slice(0, position) + token + mutated.slice(position + deleteCount);
  }
  return mutated;
}

test('Every query gets a well-formed response and changes only data that the caller may change', async () => {
  const random = seededRandom(SEED);
  const pick = <T>(items: readonly T[]): T => pickWith(random, items);
  const readState = async () => {
    const { rows } = await api.backend.database.query(
      `select (select json_agg(s) from public.secrets s)::text as canary,
        (select count(*) from pg_class) as tables, (select count(*) from pg_proc) as functions, current_user as me`,
    );
    return rows[0];
  };
  const before = await readState();
  const statuses = new Map<number, number>();
  for (let index = 0; index < QUERIES; index++) {
    const method = pick(['GET', 'GET', 'GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE']);
    const path = mutate(pick(PATHS), random);
    const hasBody = method !== 'GET' && method !== 'HEAD';
    const request = new Request(new URL(`${api.url}/rest/v1/${path.replace(/^\/+/, '')}`), {
      method,
      headers: { apikey: PUBLISHABLE_KEY, ...pick(HEADERS) },
      ...(hasBody ? { body: pick(BODIES) } : {}),
    });
    const response = await api.backend.fetch(request);
    const text = await response.text();
    const context = `${index}: ${method} ${path} -> ${response.status} ${text.slice(0, 300)}`;
    statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
    if (!new URL(request.url).pathname.startsWith('/rest/v1/')) continue;
    expect(response.status, context).toBeLessThan(500);
    if (response.headers.get('content-type')?.includes('json') && text !== '') {
      const json: unknown = JSON.parse(text);
      if (response.status >= 300) {
        expect(Object.keys(json as object).sort(), context).toEqual(['code', 'details', 'hint', 'message']);
      }
    }
    expect(text.includes('canary'), context).toBe(false);
  }
  expect(await readState()).toEqual(before);
  // The mutations must produce both valid and invalid requests.
  expect(statuses.get(200)).toBeGreaterThan(QUERIES / 50);
  expect(statuses.get(400)).toBeGreaterThan(QUERIES / 5);
}, 120_000);

/** Functions that take a row, and views that expose keys. The real schema has neither of them. */
const RELATED_SCHEMA = `
  create function public.alike(posts) returns setof public.posts language sql stable
    as 'select * from public.posts where category = $1.category';
  create function public.first_message(conversations) returns setof public.chat_messages rows 1 language sql stable
    as 'select * from public.chat_messages where conversation_id = $1.id';
  create function public.review_of(projects) returns public.reviews language sql stable
    as 'select * from public.reviews order by id limit 1';
  create function public.note_post(reviews) returns setof public.posts language sql volatile
    as $$ insert into public.posts (title, slug) values ('noted', gen_random_uuid()::text) returning * $$;
  create view public.said as select id, conversation_id, role as "Who said it" from public.chat_messages;
  create view public.talks as select id, id as again, last_message_at from public.conversations;
  grant select on public.said, public.talks to anon, authenticated;
  grant execute on function public.alike, public.first_message, public.review_of, public.note_post
    to anon, authenticated;
`;

test('Every request plan over the real schema gets a valid response, and no protected data leaks', async () => {
  const site = await startTestBackend({
    REST_AGGREGATES: 'on',
    REST_TX_OVERRIDE: 'on',
    REST_SCHEMAS: 'public, extensions',
  });
  await changeSchema(site, RELATED_SCHEMA);
  const { statuses } = await fuzzRest(site.backend, await createCallers(site.backend), { from: SEED, count: PLANS });
  await site.close();
  // Many requests pass the parser and succeed, lack a privilege, or are rejected by Postgres. A write without a response
  // body is the rarest, because most tables can only be read.
  for (const status of [200, 204, 400, 401, 403])
    expect(statuses.get(status), `${status}`).toBeGreaterThan(PLANS / 400);
}, 600_000);
