/** A list of posts through the table API, beside a bare loop of the same SQL on the same database. */
import { join } from 'node:path';
import { createClient } from '@supabase/supabase-js';
import { openPgliteDatabase, type PgliteDatabase } from '../backend/database/pglite-database.ts';
import { assumeRole } from '../backend/database/request-role.ts';
import { PUBLISHABLE_KEY } from '../backend/http/keys.ts';
import { load, report, withSite } from './site.ts';

const ROWS = 200;
const QUERY = '/rest/v1/posts?select=*&status=eq.published&order=published_date.desc&limit=20';
const SQL = `select coalesce(json_agg(p), '[]') as body from (
  select posts.* from public.posts where posts.status = 'published' order by posts.published_date desc limit 20
) p`;

await withSite(async (site, folder) => {
  // The bench is the only writer and needs no key: it writes to the folder while the server is stopped.
  await site.stop();
  const database = await openPgliteDatabase({ folder: join(folder, 'postgres') });
  await database.query(`delete from public.posts`);
  await database.query(
    `insert into public.posts (title, slug, excerpt, content, status)
     select 'Post ' || n, 'post-' || n, repeat('Excerpt. ', 12), repeat('Content. ', 200), 'published'
     from generate_series(1, ${ROWS}) n`,
  );
  const bare = await bareLoop(database);
  await database.close();
  report('The same SQL in a bare loop', `${Math.round(bare)}/s`, '');
  await measureApi(folder, bare);
});

async function measureApi(folder: string, bare: number): Promise<void> {
  const { startSite } = await import('../tests/support/site.ts');
  const site = await startSite(folder);
  try {
    const { data } = await createClient(site.url, PUBLISHABLE_KEY).from('posts').select('*').limit(20);
    if (data?.length !== 20) throw new Error('The bench needs 20 posts');
    const { perSecond, p99 } = await load({ url: site.url + QUERY, headers: { apikey: PUBLISHABLE_KEY } });
    const share = Math.round((100 * perSecond) / bare);
    report(
      `20 of ${ROWS} posts over HTTP, 10 connections`,
      `${Math.round(perSecond)}/s`,
      `target 1400/s (${share}% of the bare loop)`,
    );
    report('99th percentile', `${p99} ms`, 'target 20 ms');
  } finally {
    await site.stop();
  }
}

/** Queries per second without HTTP, one after the other, each in a transaction as a visitor. */
async function bareLoop(database: PgliteDatabase): Promise<number> {
  const role = assumeRole({ role: 'anon', claims: { role: 'anon' }, headers: {}, method: 'GET', path: '/' });
  const run = async (milliseconds: number) => {
    const end = performance.now() + milliseconds;
    let runs = 0;
    for (; performance.now() < end; runs++) await database.batch([role, { text: SQL }]);
    return (1000 * runs) / milliseconds;
  };
  await run(1000);
  return run(4000);
}
