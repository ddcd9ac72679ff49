/** Preferences for the transaction of a request (commit or rollback), and query plans. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { changeSchema, createFilmTables } from './support/films.ts';
import { rawRequest } from './support/raw-request.ts';
import { startTestBackend, type TestBackend } from './support/test-backend.ts';

let api: TestBackend;
let service: Record<string, string>;
beforeAll(async () => {
  api = await startTestBackend();
  await createFilmTables(api);
  service = { apikey: api.backend.keys.secretKey };
});
afterAll(() => api.close());

const titles = async () => (await api.service.from('films').select('title').order('id')).data;
const asService = (method: string, path: string, body: unknown, headers: Record<string, string>) =>
  rawRequest(api, method, path, { body, headers: { ...service, ...headers } });

test('A rolled-back write returns the same response as a committed write', async () => {
  const titlesBefore = await titles();
  const insert = await api.service.from('films').insert({ title: 'Gone' }).select('title').rollback().single();
  expect(insert).toMatchObject({ status: 201, data: { title: 'Gone' } });
  const update = await api.service.from('films').update({ title: 'Gone' }).eq('id', 1).select('title').rollback();
  expect(update.data).toEqual([{ title: 'Gone' }]);
  const deletion = await api.service.from('posters').delete().eq('film_id', 1).select('url').rollback();
  expect(deletion.data).toEqual([{ url: 'cleo.png' }]);
  const upsert = await api.service.from('actors').upsert({ id: 1, name: 'Gone' }).select('name').rollback();
  expect(upsert).toMatchObject({ status: 200, data: [{ name: 'Gone' }] });
  expect((await api.service.rpc('rename_film', { film_id: 1, new_title: 'Gone' }).rollback()).status).toBe(204);
  expect(await titles()).toEqual(titlesBefore);
  expect((await api.service.from('posters').select('url')).data).toHaveLength(1);
});

test('The response reports commit or rollback, even for reads, and the default is commit', async () => {
  const commit = await asService('PATCH', 'films?id=eq.4', { title: 'Kept' }, { prefer: 'tx=commit, return=minimal' });
  expect(commit.headers.get('preference-applied')).toBe('return=minimal, tx=commit');
  expect(await titles()).toContainEqual({ title: 'Kept' });
  const response = await asService('GET', 'films?id=eq.4', undefined, {
    prefer: 'tx=rollback,count=exact,handling=strict',
  });
  expect(response.headers.get('preference-applied')).toBe('count=exact, tx=rollback, handling=strict');
});

test('A rolled-back write still checks deferred constraints', async () => {
  await changeSchema(
    api,
    `create table public.pages_once (n int, constraint once unique (n) deferrable initially deferred);
     grant all on public.pages_once to service_role; grant select on public.pages_once to anon`,
  );
  const response = await asService('POST', 'pages_once', [{ n: 1 }, { n: 1 }], { prefer: 'tx=rollback' });
  expect(response).toMatchObject({ status: 409, json: { code: '23505' } });
  expect(response.headers.get('preference-applied')).toBeNull();
});

test('With REST_TX_OVERRIDE=on, every caller can choose commit or rollback', async () => {
  const overrideApi = await startTestBackend({ REST_TX_OVERRIDE: 'on' });
  await createFilmTables(overrideApi);
  const headers = { prefer: 'tx=rollback,return=representation' };
  const response = await rawRequest(overrideApi, 'POST', 'films', { body: { title: 'Gone' }, headers });
  expect([response.status, response.headers.get('preference-applied')]).toEqual([
    201,
    'return=representation, tx=rollback',
  ]);
  expect((await overrideApi.visitor.from('films').select('id').eq('title', 'Gone')).data).toEqual([]);
  await overrideApi.close();
});

test('The plan of a request is returned as text or JSON, with the requested options', async () => {
  const text = await api.service.from('films').select('title').eq('id', 1).explain();
  expect(text.data).toMatch(/^Aggregate {2}\(cost=/);
  const json = await api.service.from('films').select().explain({ format: 'json', verbose: true, analyze: true });
  expect(json.data).toMatchObject([{ Plan: { 'Actual Rows': 1 }, 'Execution Time': expect.any(Number) }]);
  const raw = await asService('GET', 'films', undefined, {
    accept: 'application/vnd.pgrst.plan+json; for="application/vnd.pgrst.object"; options=buffers|verbose|nope',
  });
  expect(raw.headers.get('content-type')).toBe(
    'application/vnd.pgrst.plan+json; for="application/vnd.pgrst.object+json"; options=verbose|buffers; charset=utf-8',
  );
  const call = await asService('POST', 'rpc/films_since', { since: 1 }, { accept: 'application/vnd.pgrst.plan' });
  expect(call.headers.get('content-type')).toBe(
    'application/vnd.pgrst.plan+text; for="application/json"; charset=utf-8',
  );
});

test('Explaining a write changes nothing unless the plan is analyzed and committed', async () => {
  const accept = 'application/vnd.pgrst.plan+json; options=analyze';
  const remove = (headers: Record<string, string>) => asService('DELETE', 'posters?film_id=eq.1', undefined, headers);
  expect(await remove({ accept: 'application/vnd.pgrst.plan+json' })).toMatchObject({ status: 200 });
  expect(await remove({ accept, prefer: 'tx=rollback' })).toMatchObject({ status: 200 });
  expect((await api.service.from('posters').select('url')).data).toHaveLength(1);
  expect(await remove({ accept })).toMatchObject({ status: 200 });
  expect((await api.service.from('posters').select('url')).data).toHaveLength(0);
});
