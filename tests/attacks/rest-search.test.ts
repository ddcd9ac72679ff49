/** Full-text searches that would parse every row are rejected, and those that use an index are allowed. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { changeSchema, createFilmTables } from '../../packages/backend/tests/support/films.ts';
import { rawRequest } from '../../packages/backend/tests/support/raw-request.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';

let api: TestBackend;
let member: Record<string, string>;
let service: Record<string, string>;
beforeAll(async () => {
  api = await startTestBackend({ RATE_LIMITS: 'on' });
  await createFilmTables(api);
  await changeSchema(
    api,
    `create table public.articles (
       id int primary key, film_id int references public.films (id), title varchar(200), body text, "Odd ""name" text,
       secret text, words tsvector generated always as (to_tsvector('english', body)) stored
     );
     create index on public.articles using gin (to_tsvector('english', title));
     create index on public.articles using gist (to_tsvector('simple', body), to_tsvector('english', "Odd ""name"));
     create index on public.articles using gin (to_tsvector('english', secret)) where id > 5;
     create view public.articles_shown as select id, title, to_tsvector('english', body) as made from public.articles;
     create table public.guarded (id int primary key, title text);
     create index on public.guarded using gin (to_tsvector('english', title));
     alter table public.guarded enable row level security;
     create policy "Everybody reads" on public.guarded for select using (true);
     create function public.articles_since(since int) returns setof public.articles language sql stable
       as 'select * from public.articles where id >= since';
     grant select, update on public.articles, public.articles_shown, public.guarded to anon, authenticated, service_role;
     insert into public.articles values (1, 3, 'Cats', 'Dogs run', 'Mice', 'x'), (2, 3, 'Birds', 'Fish swim', 'Owls', 'x')`,
  );
  member = { authorization: `Bearer ${(await api.signedIn('client')).token}` };
  service = { apikey: api.backend.keys.secretKey };
});
afterAll(() => api.close());

const get = (path: string, headers: Record<string, string> = {}) => rawRequest(api, 'GET', path, { headers });

describe('Only the service role can search without an index', () => {
  test.each([
    ['text', 'articles?body=fts(english).dog'],
    ['text without a configuration', 'articles?title=wfts.cat'],
    ['a different configuration than that of the index', 'articles?title=fts(basque).cat'],
    ['a partial index', 'articles?secret=fts(english).x'],
    ['a negated search', 'articles?title=not.fts(english).cat'],
    ['a search in a negated group', 'articles?not.and=(title.fts(english).cat,id.gt.0)'],
    ['a search as an alternative to another condition', 'articles?or=(title.fts(english).cat,id.gt.0)'],
    ['a path into JSON', 'directors?facts->>country=fts(english).be'],
    ['an embedded resource', 'films?select=id,articles(id)&articles.title=fts(english).cat'],
    ['the result of a function', 'rpc/articles_since?since=0&title=fts(english).cat'],
    ['a computed column of a view', 'articles_shown?made=fts(english).dog'],
    ['a computed field', 'films?title_length=fts(english).dog'],
    ['rows with a policy that runs before the index', 'guarded?title=fts(english).cat'],
  ])('%s', async (_title, path) => {
    const rejection = {
      status: 400,
      json: { code: 'PGRST197', hint: "Search a column of type tsvector, or use 'ilike'." },
    };
    expect(await get(path)).toMatchObject(rejection);
    expect(await get(path, member)).toMatchObject(rejection);
    expect((await get(path, service)).json).not.toMatchObject({ code: 'PGRST197' });
  });

  test('a write with such a filter is rejected too', async () => {
    const body = { title: 'changed' };
    expect(await rawRequest(api, 'PATCH', 'articles?body=fts.dog', { body })).toMatchObject({
      status: 400,
      json: { code: 'PGRST197', message: "No index supports this full-text search of 'body'" },
    });
  });
});

describe('All roles can search with an index', () => {
  test.each([
    ['text with the configuration of an index', 'articles?title=fts(english).cat', 1],
    ['the second column of an index', 'articles?"Odd \\"name"=wfts(english).owls', 2],
    ['several indexed searches with other conditions', 'articles?id=gt.0&and=(title.plfts(english).bird)', 2],
    ['a group of alternative searches', 'articles?or=(title.fts(english).cat,body.phfts(simple).nothing)', 1],
    ['a stored document', 'articles?words=fts(english).dogs', 1],
    ['a stored tsvector, negated and in a group', 'articles?or=(words.not.fts(english).dogs,id.eq.9)', 2],
    ['a stored tsvector without a configuration', 'articles?words=wfts.swim', 2],
  ])('%s', async (_title, path, id) => {
    expect(await get(path)).toMatchObject({ status: 200, json: [{ id }] });
    expect(await get(path, member)).toMatchObject({ status: 200, json: [{ id }] });
  });

  test('a stored tsvector of an embedded resource', async () => {
    const { json } = await get('films?select=id,articles(id)&id=eq.3&articles.words=fts(english).dog');
    expect(json).toEqual([{ id: 3, articles: [{ id: 1 }] }]);
  });
});

test.each([
  ['a query that has too many operators in a row', `${'!'.repeat(100)}`],
  ['an incomplete query', 'cat &'],
  ['a query with unclosed brackets', '('.repeat(400)],
])('An invalid query is a client error: %s', async (_title, query) => {
  expect((await get(`articles?words=fts(english).${encodeURIComponent(query)}`)).status).toBe(400);
  expect((await get('articles?words=fts(elvish).cat')).status).toBe(400);
});
