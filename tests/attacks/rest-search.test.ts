/** Full-text searches that would make a document of every row are refused, and those that an index answers are not. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { changeSchema, createFilms } from '../../packages/backend/tests/support/films.ts';
import { rawRequest } from '../../packages/backend/tests/support/raw-request.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';

let api: TestBackend;
let member: Record<string, string>;
let service: Record<string, string>;
beforeAll(async () => {
  api = await startTestBackend({ RATE_LIMITS: 'on' });
  await createFilms(api);
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
    'articles',
  );
  member = { authorization: `Bearer ${(await api.signedIn('client')).token}` };
  service = { apikey: api.backend.keys.secretKey };
});
afterAll(() => api.close());

const get = (path: string, headers: Record<string, string> = {}) => rawRequest(api, 'GET', path, { headers });

describe('A search that makes a document of every row is for the service', () => {
  test.each([
    ['text', 'articles?body=fts(english).dog'],
    ['text in no configuration', 'articles?title=wfts.cat'],
    ['another configuration than that of the index', 'articles?title=fts(basque).cat'],
    ['an index on some of the rows', 'articles?secret=fts(english).x'],
    ['what is negated', 'articles?title=not.fts(english).cat'],
    ['what stands in a negated group', 'articles?not.and=(title.fts(english).cat,id.gt.0)'],
    ['what stands beside another condition of a group', 'articles?or=(title.fts(english).cat,id.gt.0)'],
    ['a path into JSON', 'directors?facts->>country=fts(english).be'],
    ['what is embedded', 'films?select=id,articles(id)&articles.title=fts(english).cat'],
    ['what a function answers', 'rpc/articles_since?since=0&title=fts(english).cat'],
    ['what a view computes', 'articles_shown?made=fts(english).dog'],
    ['a computed field', 'films?title_length=fts(english).dog'],
    ['what policies guard, where they come before the index', 'guarded?title=fts(english).cat'],
  ])('%s', async (_what, path) => {
    const refusal = {
      status: 400,
      json: { code: 'PGRST197', hint: "Search a column of type tsvector, or use 'ilike'." },
    };
    expect(await get(path)).toMatchObject(refusal);
    expect(await get(path, member)).toMatchObject(refusal);
    expect((await get(path, service)).json).not.toMatchObject({ code: 'PGRST197' });
  });

  test('a write that searches too', async () => {
    const body = { title: 'changed' };
    expect(await rawRequest(api, 'PATCH', 'articles?body=fts.dog', { body })).toMatchObject({
      status: 400,
      json: { code: 'PGRST197', message: "No index supports this full-text search of 'body'" },
    });
  });
});

describe('A search that an index answers is for everybody', () => {
  test.each([
    ['text with an index of the configuration', 'articles?title=fts(english).cat', 1],
    ['the second column of an index', 'articles?"Odd \\"name"=wfts(english).owls', 2],
    ['several that an index answers, beside other conditions', 'articles?id=gt.0&and=(title.plfts(english).bird)', 2],
    ['any of several', 'articles?or=(title.fts(english).cat,body.phfts(simple).nothing)', 1],
    ['a stored document', 'articles?words=fts(english).dogs', 1],
    ['a stored document, negated and in a group', 'articles?or=(words.not.fts(english).dogs,id.eq.9)', 2],
    ['a stored document in no configuration', 'articles?words=wfts.swim', 2],
  ])('%s', async (_what, path, id) => {
    expect(await get(path)).toMatchObject({ status: 200, json: [{ id }] });
    expect(await get(path, member)).toMatchObject({ status: 200, json: [{ id }] });
  });

  test('a stored document of what is embedded', async () => {
    const { json } = await get('films?select=id,articles(id)&id=eq.3&articles.words=fts(english).dog');
    expect(json).toEqual([{ id: 3, articles: [{ id: 1 }] }]);
  });
});

test.each([
  ['a query that has too many operators in a row', `${'!'.repeat(100)}`],
  ['one that breaks off', 'cat &'],
  ['one with brackets that stay open', '('.repeat(400)],
])('A query that cannot be read is a mistake of whoever asks: %s', async (_what, query) => {
  expect((await get(`articles?words=fts(english).${encodeURIComponent(query)}`)).status).toBe(400);
  expect((await get('articles?words=fts(elvish).cat')).status).toBe(400);
});
