/** Numbers of items, which are kept beside them: each must equal a count, whatever happened to the items. */
import type { SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';

let site: TestBackend;
let admin: SupabaseClient;
beforeAll(async () => {
  site = await startTestBackend();
  admin = (await site.signedIn('admin')).client;
});
afterAll(() => site.close());

const query = (sql: string) => site.backend.database.query(sql);

/** Returns the sums that are kept beside those that counting gives. */
async function sums() {
  const { rows: kept } = await query(`
    select status, category, sum(items)::integer as items from private.content_counts
    where kind = 'posts' group by 1, 2 having sum(items) <> 0 order by 1, 2`);
  const { rows: counted } = await query(`
    select status, category, count(*)::integer as items from public.posts group by 1, 2 order by 1, 2`);
  return { kept, counted };
}

test('The counts follow items that come, change and go, in one statement or in many at once', async () => {
  const rows = Array.from({ length: 30 }, (_, n) => ({
    title: `Post ${n}`,
    slug: `post-${n}`,
    category: n % 2 ? 'Craft' : '',
    status: n % 3 ? 'published' : 'draft',
  }));
  await admin.from('posts').insert(rows).throwOnError();
  await Promise.all(
    rows
      .slice(0, 12)
      .map(({ slug }) => admin.from('posts').update({ category: 'Moved' }).eq('slug', slug).throwOnError()),
  );
  await admin.from('posts').update({ title: 'Nothing that counts' }).neq('slug', '').throwOnError();
  await admin.from('posts').delete().eq('slug', 'post-20').throwOnError();
  const { kept, counted } = await sums();
  expect(counted.length).toBeGreaterThan(4);
  expect(kept).toEqual(counted);

  await query('truncate public.posts');
  expect((await sums()).kept).toEqual([]);
});

test('Many writes leave few rows behind, because each sums up what it finds', async () => {
  for (let n = 0; n < 20; n++) {
    await admin
      .from('posts')
      .insert({ title: 'x', slug: `few-${n}`, category: 'Few' })
      .throwOnError();
  }
  const { rows } = await query(`select items from private.content_counts where kind = 'posts' and category = 'Few'`);
  expect(rows).toEqual([{ items: 20 }]);
  await query('delete from public.posts');
});

test('Admins count by status and category; nobody else may, drafts being nobody else’s business', async () => {
  await admin
    .from('posts')
    .insert([
      { title: 'a', slug: 'a', category: 'Craft', status: 'published' },
      { title: 'b', slug: 'b', category: 'Craft', status: 'draft' },
      { title: 'c', slug: 'c', category: 'Ads', status: 'draft' },
    ])
    .throwOnError();
  const count = async (filter: object) => (await admin.rpc('count_content', { _kind: 'posts', ...filter })).data;
  expect([
    await count({}),
    await count({ _status: 'draft' }),
    await count({ _category: 'Craft' }),
    await count({ _status: 'draft', _category: 'Craft' }),
    await count({ _category: 'None' }),
  ]).toEqual([3, 2, 2, 1, 0]);
  for (const person of ['visitor', 'pending', 'client', 'team'] as const) {
    const client = person === 'visitor' ? site.visitor : (await site.signedIn(person)).client;
    expect((await client.rpc('count_content', { _kind: 'posts' })).error?.code).toBe('42501');
  }
});

test('Visitors read the number of parts of the sitemap, and of categories those that are shown', async () => {
  const client = site.visitor;
  const later = new Date(Date.now() + 86_400_000).toISOString();
  const post = { title: 'd', slug: 'd', category: 'Later', status: 'published', published_date: later };
  await admin.from('posts').insert(post).throwOnError();
  expect((await client.rpc('news_categories')).data).toEqual([
    { category: null, posts: 1 },
    { category: 'Craft', posts: 1 },
  ]);
  expect((await client.rpc('sitemap_parts')).data).toEqual([{ kind: 'posts', parts: 1 }]);
  await query(
    `insert into public.posts (title, slug, status) select n, 'many-' || n, 'published' from generate_series(1, 999) n`,
  );
  expect((await client.rpc('sitemap_parts')).data).toEqual([{ kind: 'posts', parts: 2 }]);
});
