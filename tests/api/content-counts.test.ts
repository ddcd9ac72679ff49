/** The counts of items that visitors can read. */
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

test('Visitors can read the number of sitemap parts and the categories of published posts', async () => {
  const client = site.visitor;
  const post = { title: 'a', slug: 'a', category: 'Craft', status: 'published' };
  const draft = { title: 'b', slug: 'b', category: 'Craft', status: 'draft' };
  await admin.from('posts').insert([post, draft]).throwOnError();
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
  const scheduled = { title: 'd', slug: 'd', category: 'Later', status: 'published', published_date: tomorrow };
  await admin.from('posts').insert(scheduled).throwOnError();
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
