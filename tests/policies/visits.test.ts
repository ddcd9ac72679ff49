/** Visit counts. Tests who can add and read them, and which entries are accepted. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { capitalizedRoles } from '../support/role-labels.ts';
import { type Person, startTestBackend, type TestBackend } from '../support/test-backend.ts';

const NON_ADMINS = ['stranger', 'pending', 'client', 'team'] as const satisfies Person[];

let site: TestBackend;
beforeAll(async () => {
  site = await startTestBackend();
  await site.service
    .from('posts')
    .insert([
      { title: 'Hello', slug: 'hello', status: 'published', published_date: '2020-01-01' },
      { title: 'Draft', slug: 'draft', status: 'draft', published_date: '2020-01-01' },
      { title: 'Later', slug: 'later', status: 'published', published_date: '2999-01-01' },
    ])
    .throwOnError();
});
afterAll(() => site.close());
beforeEach(async () => {
  await query('truncate public.visit_counts');
  await setCounting('on');
});

const query = <Row extends object>(sql: string) => site.backend.database.query<Row>(sql).then(({ rows }) => rows);

async function setCounting(value: 'on' | 'off') {
  await site.service
    .from('site_settings')
    .upsert({ setting_key: 'count_visits', setting_value: value }, { onConflict: 'setting_key' })
    .throwOnError();
}

const entry = (kind: string, name: string, values: Record<string, number> = {}) => ({
  kind,
  name,
  count: 1,
  reads: 0,
  seconds: 0,
  ...values,
});

const addCounts = (...entries: object[]) => site.service.rpc('add_visit_counts', { _counts: entries });

async function readStoredCounts(): Promise<Record<string, number>> {
  const rows = await query<{ key: string; count: number }>(
    `select kind || ' ' || name as key, count::integer as count from public.visit_counts order by 1`,
  );
  return Object.fromEntries(rows.map(({ key, count }) => [key, count]));
}

describe('Access', () => {
  test('The server can add counts with its secret key, and the counts are summed by day', async () => {
    expect((await addCounts(entry('page', '/'), entry('device', 'phone'))).data).toBe(true);
    expect((await addCounts(entry('page', '/', { count: 2 }))).data).toBe(true);
    expect(await readStoredCounts()).toEqual({ 'device phone': 1, 'page /': 3 });
    const [row] = await query<{ isToday: boolean }>(
      `select bool_and(day = (now() at time zone 'utc')::date) as "isToday" from public.visit_counts`,
    );
    expect(row?.isToday).toBe(true);
  });

  test.each(capitalizedRoles([...NON_ADMINS, 'admin']))(
    '%s cannot add counts with the function or in the table',
    async (_label, role) => {
      const { client } = await site.signedIn(role);
      expect((await client.rpc('add_visit_counts', { _counts: [entry('page', '/')] })).status).toBe(403);
      const row = { day: '2026-11-24', kind: 'page', name: '/', count: 7 };
      expect((await client.from('visit_counts').insert(row)).status).toBe(403);
      expect(await readStoredCounts()).toEqual({});
    },
  );

  test('A visitor cannot add or read counts', async () => {
    expect((await site.visitor.rpc('add_visit_counts', { _counts: [entry('page', '/')] })).status).toBe(401);
    expect((await site.visitor.from('visit_counts').select()).status).toBe(401);
    expect((await site.visitor.rpc('report_visits')).status).toBe(401);
  });

  test('The service role cannot write counts without the function', async () => {
    await addCounts(entry('page', '/'));
    const table = site.service.from('visit_counts');
    expect((await table.insert({ day: '2026-11-24', kind: 'page', name: '/', count: 7 })).error?.code).toBe('42501');
    expect((await table.update({ count: 7 }).eq('name', '/')).error?.code).toBe('42501');
    expect((await table.delete().eq('name', '/')).error?.code).toBe('42501');
    expect(await readStoredCounts()).toEqual({ 'page /': 1 });
  });

  test.each(capitalizedRoles(NON_ADMINS))('%s cannot read counts', async (_label, role) => {
    await addCounts(entry('page', '/'));
    const { client } = await site.signedIn(role);
    expect((await client.from('visit_counts').select()).data).toEqual([]);
    expect((await client.rpc('report_visits')).error).toMatchObject({
      code: '42501',
      message: 'Only admins can do this',
    });
  });

  test('An admin can read the rows and the report', async () => {
    await addCounts(entry('page', '/', { count: 4 }));
    const { client } = await site.signedIn('admin');
    expect((await client.from('visit_counts').select('name, count')).data).toEqual([{ name: '/', count: 4 }]);
    const { data } = await client.rpc('report_visits').throwOnError();
    expect(data.days).toHaveLength(30);
    expect(data.days.at(-1)).toMatchObject({ views: 4, chats: 0 });
  });
});

describe('Accepted entries', () => {
  test('No counts are added while the setting is off', async () => {
    await setCounting('off');
    expect((await addCounts(entry('page', '/'))).data).toBe(false);
    await site.service.from('site_settings').delete().eq('setting_key', 'count_visits').throwOnError();
    expect((await addCounts(entry('page', '/'))).data).toBe(false);
    expect(await readStoredCounts()).toEqual({});
  });

  test('Views are counted only for articles that visitors can read', async () => {
    await addCounts(...['hello', 'draft', 'later', 'invented'].map((slug) => entry('page', `/news/${slug}`)));
    expect(await readStoredCounts()).toEqual({ 'page /news/hello': 1 });
  });

  test('Invalid entries are ignored', async () => {
    await addCounts(
      entry('person', 'john@acme.com'),
      entry('device', 'fridge'),
      entry('chat', 'a message'),
      entry('referrer', 'https://elsewhere.example/?q=john'),
      entry('referrer', 'a'.repeat(101)),
      entry('page', '/', { count: 0 }),
      entry('page', '/', { count: -5 }),
      entry('chat', ''),
    );
    expect(await readStoredCounts()).toEqual({ 'chat ': 1 });
  });

  test('Reading times are capped at half an hour for each read', async () => {
    await addCounts(entry('page', '/news/hello', { count: 2, reads: 9, seconds: 999_999 }));
    await addCounts(entry('page', '/news/hello', { count: 1, reads: 1, seconds: -60 }));
    expect(
      await query('select count::integer, reads::integer, read_seconds::integer from public.visit_counts'),
    ).toEqual([{ count: 3, reads: 3, read_seconds: 3600 }]);
  });

  test('A day stores at most 200 hosts, and further hosts are counted together', async () => {
    const hosts = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, n) => entry('referrer', `host-${from + n}.example`));
    await addCounts(entry('referrer', ''), ...hosts(0, 150));
    await addCounts(...hosts(100, 400));
    const counts = await readStoredCounts();
    expect(Object.keys(counts)).toHaveLength(202);
    expect(counts).toMatchObject({ 'referrer ': 1, 'referrer other': 200, 'referrer host-120.example': 2 });
  });

  test('A list of more than 5000 entries is rejected as a whole', async () => {
    const { error } = await addCounts(...Array.from({ length: 5001 }, () => entry('page', '/')));
    expect(error?.code).toBe('22023');
    expect((await site.service.rpc('add_visit_counts', { _counts: { kind: 'page' } })).error?.code).toBe('22023');
    expect(await readStoredCounts()).toEqual({});
  });

  test('Concurrent writes by several servers neither lose nor duplicate counts', async () => {
    await Promise.all(Array.from({ length: 20 }, () => addCounts(entry('page', '/'), entry('referrer', 'a.example'))));
    expect(await readStoredCounts()).toEqual({ 'page /': 20, 'referrer a.example': 20 });
  });
});

describe('The report', () => {
  test('sums up 30 days and lists the ten most viewed pages and the published posts', async () => {
    await query(
      `insert into public.visit_counts (day, kind, name, count, reads, read_seconds)
       select (now() at time zone 'utc')::date - ago, 'page', name, count, reads, seconds
       from (values (0, '/news/hello', 3, 2, 100), (29, '/news/hello', 2, 2, 20), (30, '/', 50, 0, 0), (1, '/', 1, 0, 0))
         as input (ago, name, count, reads, seconds)`,
    );
    const { data: post } = await site.service
      .from('posts')
      .insert({ title: 'Fresh', slug: 'fresh', status: 'published', published_date: new Date().toISOString() })
      .select('id')
      .single()
      .throwOnError();
    const { client } = await site.signedIn('admin');
    const { data } = await client.rpc('report_visits').throwOnError();
    expect(data.days.map(({ views }: { views: number }) => views)).toEqual([2, ...Array(27).fill(0), 1, 3]);
    expect(data.pages).toEqual([
      { path: '/news/hello', views: 5, reads: 4, seconds: 120 },
      { path: '/', views: 1, reads: 0, seconds: 0 },
    ]);
    expect(data.publications).toEqual([{ day: data.days.at(-1).day, title: 'Fresh', slug: 'fresh' }]);
    await site.service.from('posts').delete().eq('id', post.id).throwOnError();
  });
});

test('Counts are deleted after 25 months', async () => {
  await query(
    `insert into public.visit_counts (day, kind, name, count)
     select ((now() at time zone 'utc') - age::interval)::date, 'page', '/', 1
     from unnest(array['25 months', '25 months 1 day', '3 years', '0']) as age`,
  );
  expect(await query('select private.delete_old_visit_counts() as deleted')).toEqual([{ deleted: 2 }]);
  expect(await query('select from public.visit_counts')).toHaveLength(2);
});
