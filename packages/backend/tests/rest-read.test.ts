import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { changeSchema, createFilmTables } from './support/films.ts';
import { rawRequest } from './support/raw-request.ts';
import { startTestBackend, type TestBackend } from './support/test-backend.ts';

let api: TestBackend;
beforeAll(async () => {
  api = await startTestBackend();
  await createFilmTables(api);
});
afterAll(() => api.close());

const get = (path: string, headers: Record<string, string> = {}) => rawRequest(api, 'GET', path, { headers });

async function getIds(query: string, headers: Record<string, string> = {}): Promise<unknown> {
  const { json } = await get(`films?select=id&order=id&${query}`, headers);
  return Array.isArray(json) ? json.map(({ id }) => id).join() : json;
}

test('A visitor can select columns, filter, order and paginate', async () => {
  const { data, error } = await api.visitor
    .from('films')
    .select('title,year')
    .in('director_id', [1, 2])
    .order('year', { ascending: false })
    .range(0, 1);
  expect(error).toBeNull();
  expect(data).toEqual([
    { title: 'Parasite', year: 2019 },
    { title: 'Vagabond', year: 1985 },
  ]);
});

test('Columns can be renamed, cast and selected by JSON path, and computed fields can be selected', async () => {
  const film = await api.visitor.from('films').select('name:title, year::text, title_length').eq('id', 1).single();
  expect(film.data).toEqual({ name: 'Cléo', year: '1962', title_length: 4 });
  const director = await get(
    'directors?id=eq.1&select=facts->country->>code,first:facts->awards->>0,facts->awards->-1,facts->country,born::timestamp with time zone',
  );
  expect(director.json).toEqual([
    { code: 'BE', first: 'palme', awards: 'oscar', country: { code: 'BE' }, born: '1928-05-30T00:00:00+00:00' },
  ]);
  expect((await get('films?id=eq.1&select=tags->0')).json).toEqual([{ tags: 'paris' }]);
});

test('Every filter operator compares like Postgres', async () => {
  const expected: Record<string, string> = {
    'id=eq.1': '1',
    'id=neq.1': '2,3,4',
    'year=gt.1985': '3',
    'year=gte.1985': '2,3',
    'year=lt.1985': '1',
    'year=lte.1985': '1,2',
    'title=like.*a*': '2,3',
    'title=ilike.*A*': '2,3',
    'title=match.^P': '3',
    'title=imatch.^p': '3',
    'id=in.(1,3)': '1,3',
    'id=in.()': '',
    'title=in.("Cléo",Parasite)': '1,3',
    'year=is.null': '4',
    'year=is.not_null': '1,2,3',
    'released=is.true': '1,2,3',
    'released=is.unknown': '4',
    'released=not.is.false': '1,2,3,4',
    'year=isdistinct.1962': '2,3,4',
    'tags=cs.{drama}': '1,2',
    'tags=cd.{drama,seoul}': '2,3,4',
    'tags=ov.{seoul,paris}': '1,3',
    'running=sl.[100,120]': '1',
    'running=sr.[91,99]': '2,3',
    'running=nxr.[100,120]': '1,2',
    'running=nxl.[100,120]': '2,3',
    'running=adj.[91,100)': '1,2',
    'title=fts.parasite': '3',
    'title=plfts(english).parasites': '3',
    'title=phfts.parasite': '3',
    'title=wfts(simple).parasite or vagabond': '2,3',
    'title=not.fts(simple).parasite': '1,2,4',
    'title=like(any).{C*,P*}': '1,3',
    'title=ilike(all).{*a*,*b*}': '2',
    'year=gt(any).{1980,2000}': '2,3',
    'id=eq(any).{1,2}': '1,2',
  };
  const actual: Record<string, unknown> = {};
  // Regular expressions and unindexed searches are reserved for the service role.
  const service = { apikey: api.backend.keys.secretKey };
  for (const query of Object.keys(expected)) {
    actual[query] = await getIds(query, /match|fts/.test(query) ? service : {});
  }
  expect(actual).toEqual(expected);
});

test('Conditions can be negated, nested and joined by and/or', async () => {
  expect(await getIds('id=not.eq.1')).toBe('2,3,4');
  expect(await getIds('id=gt.1&id=lt.4')).toBe('2,3');
  expect(await getIds('or=(id.eq.1,year.gt.2000)')).toBe('1,3');
  expect(await getIds('not.or=(id.eq.1,id.eq.2)')).toBe('3,4');
  expect(await getIds('and=(id.gte.2,not.or(title.eq.Vagabond,year.is.null))')).toBe('3');
  expect(await getIds('or=(title.eq."Cléo",tags.cs.{seoul},id.in.(2,"4"),and(id.eq.9,id.not.eq.8))')).toBe('1,2,3,4');
});

test('JSON paths can be used to filter and order', async () => {
  expect((await get('directors?select=id&facts->country->>code=eq.BE')).json).toEqual([{ id: 1 }]);
  expect((await get('directors?select=id&facts->awards->>1=not.is.null')).json).toEqual([{ id: 1 }]);
  expect((await get('directors?select=id&order=facts->country->>code.desc.nullslast')).json).toEqual([
    { id: 1 },
    { id: 2 },
  ]);
});

test('Order places nulls first or last as requested', async () => {
  const order = async (terms: string) => {
    const { json } = await get(`films?select=id&order=${terms}`);
    return (json as { id: number }[]).map(({ id }) => id).join();
  };
  expect(await order('year.desc')).toBe('4,3,2,1');
  expect(await order('year.desc.nullslast')).toBe('3,2,1,4');
  expect(await order('year.nullsfirst')).toBe('4,1,2,3');
  expect(await order('director_id.desc.nullslast,year.desc')).toBe('3,2,1,4');
});

test('A single row is returned as an object, and any other number of rows is rejected', async () => {
  const film = await api.visitor.from('films').select('title').eq('id', 1).single();
  expect(film.data).toEqual({ title: 'Cléo' });
  const noRows = await api.visitor.from('films').select('title').eq('id', 99).single();
  expect(noRows).toMatchObject({
    status: 406,
    error: {
      code: 'PGRST116',
      message: 'Cannot coerce the result to a single JSON object',
      details: 'The result contains 0 rows',
    },
  });
  expect((await api.visitor.from('films').select('title').eq('id', 99).maybeSingle()).data).toBeNull();
  const response = await get('films?id=eq.1', { accept: 'application/vnd.pgrst.object+json' });
  expect(response.headers.get('content-type')).toBe('application/vnd.pgrst.object+json; charset=utf-8');
});

test('Counts and pages are returned as by PostgREST', async () => {
  const page = async (path: string, headers: Record<string, string> = {}) => {
    const { status, headers: responseHeaders } = await get(path, headers);
    return [status, responseHeaders.get('content-range')];
  };
  const count = (method: string) => ({ prefer: `count=${method}` });
  expect(await page('films?limit=2')).toEqual([200, '0-1/*']);
  expect(await page('films?limit=2', count('exact'))).toEqual([206, '0-1/4']);
  expect(await page('films', count('exact'))).toEqual([200, '0-3/4']);
  expect(await page('films?offset=2', count('exact'))).toEqual([206, '2-3/4']);
  expect(await page('films?id=eq.99', count('exact'))).toEqual([200, '*/0']);
  expect(await page('films?id=eq.99')).toEqual([200, '*/*']);
  expect(await page('films?offset=99')).toEqual([200, '*/*']);
  expect(await page('films?limit=2', count('estimated'))).toEqual([206, '0-1/4']);
  expect((await page('films?limit=2', count('planned')))[1]).toMatch(/^0-1\/\d+$/);
  expect(await page('films', { range: '1-2' })).toEqual([200, '1-2/*']);
  expect(await page('films', { range: 'nonsense' })).toEqual([200, '0-3/*']);
  expect((await get('films?limit=2', count('exact'))).headers.get('preference-applied')).toBe('count=exact');
});

test('HEAD returns the headers of GET without a body', async () => {
  const { count, data, status } = await api.visitor.from('films').select('*', { head: true, count: 'exact' });
  expect([count, data, status]).toEqual([4, null, 200]);
  const head = await rawRequest(api, 'HEAD', 'films?limit=1', { headers: { prefer: 'count=exact' } });
  expect([head.status, head.headers.get('content-range'), head.text]).toEqual([206, '0-0/4', '']);
});

test('An offset beyond the counted rows and invalid ranges are rejected', async () => {
  expect(await get('films?offset=999', { prefer: 'count=exact' })).toMatchObject({
    status: 416,
    json: {
      code: 'PGRST103',
      message: 'Requested range not satisfiable',
      details: 'An offset of 999 was requested, but there are only 4 rows.',
    },
  });
  expect(await get('films', { range: '5-2' })).toMatchObject({
    status: 416,
    json: { details: 'The lower boundary must be lower than or equal to the upper boundary in the Range header.' },
  });
  expect(await get('films?limit=-1')).toMatchObject({
    status: 416,
    json: { details: 'Limit should be greater than or equal to zero.' },
  });
});

test('CSV has a header line, and values are quoted if necessary', async () => {
  const { data } = await api.visitor.from('directors').select('id,name,born').order('id').csv();
  expect(data).toBe('id,name,born\n1,"Agnès Varda",1928-05-30\n2,"Bong, Joon-ho",1969-09-14');
  const empty = await get('directors?id=eq.9', { accept: 'text/csv' });
  expect([empty.text, empty.headers.get('content-type')]).toEqual(['', 'text/csv; charset=utf-8']);
});

test('Nulls can be stripped', async () => {
  const { data } = await api.visitor.from('films').select('id,title,year').eq('id', 4).stripNulls();
  expect(data).toEqual([{ id: 4, title: 'Untitled' }]);
  const row = await get('films?id=eq.4&select=id,year', { accept: 'application/vnd.pgrst.object+json;nulls=stripped' });
  expect(row.json).toEqual({ id: 4 });
});

test('Views can be read like tables', async () => {
  expect((await api.visitor.from('old_films').select('title').order('id')).data).toEqual([
    { title: 'Cléo' },
    { title: 'Vagabond' },
  ]);
});

test('A page has at most 1000 rows', async () => {
  const sql =
    'create table public.many as select n from generate_series(1, 1200) n; grant select on public.many to anon';
  await changeSchema(api, sql);
  const { data, count } = await api.visitor.from('many').select('n', { count: 'exact' }).limit(5000);
  expect([data?.length, count]).toEqual([1000, 1200]);
  const estimated = await api.visitor.from('many').select('n', { count: 'estimated' }).limit(1);
  expect(estimated.count).toBeGreaterThan(1000);
});

test('Other origins can read responses, and send preflight requests', async () => {
  const preflight = await fetch(`${api.url}/rest/v1/films`, {
    method: 'OPTIONS',
    headers: {
      origin: 'https://example.com',
      'access-control-request-method': 'PATCH',
      'access-control-request-headers': 'apikey,prefer',
    },
  });
  expect(preflight.status).toBe(200);
  expect(preflight.headers.get('access-control-allow-origin')).toBe('*');
  expect(preflight.headers.get('access-control-allow-methods')).toContain('PATCH');
  expect(preflight.headers.get('access-control-allow-headers')).toBe('apikey,prefer');
  const { headers } = await get('films', { origin: 'https://example.com' });
  expect(headers.get('access-control-allow-origin')).toBe('*');
  expect(headers.get('access-control-expose-headers')).toContain('Content-Range');
});

test('A filter uses the new column type after a schema change', async () => {
  const findShows = async (day: string) => (await get(`shows?select=id&day=eq.${day}`)).json;
  const table = 'create table public.shows (id int primary key, day date); grant select on public.shows to anon;';
  await changeSchema(api, `${table} insert into public.shows values (1, '2026-01-01')`);
  for (let attempt = 0; attempt < 8; attempt++) expect(await findShows('2026-01-01')).toEqual([{ id: 1 }]);
  const change = 'alter table public.shows alter day type timestamptz;';
  await changeSchema(api, `${change} update public.shows set day = '2026-01-01 10:00Z'`);
  await vi.waitFor(async () => expect(await findShows('2026-01-01T10:00Z')).toEqual([{ id: 1 }]), 120_000);
  expect(await findShows('2026-01-01')).toEqual([]);
});
