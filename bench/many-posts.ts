/**
 * Compares 5,000 posts with 100. Requests the News page, its search and the sitemap right after a change, when no page
 * is cached. Requests the list of the admin area with its search and counts over HTTP. Deep pages are not measured.
 *
 *     node bench/many-posts.ts [--postgres]      on the built-in database, or with --postgres on a Postgres server
 */
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from '../packages/backend/src/database/database.ts';
import { openPostgresDatabase } from '../packages/backend/src/database/postgres-database.ts';
import { startNativePostgres } from '../packages/backend/tests/support/native-postgres.ts';
import { openFolder, removeFolder, type SiteProcess, startSite } from '../tests/support/site.ts';

const FEW = 100;
const MANY = 5_000;
const ROUNDS = 15;
const ADMIN = { email: 'bench@example.com', password: 'Right-password-1' };

const server = process.argv.includes('--postgres') ? await startNativePostgres() : null;
const small = await measureWith(FEW);
const large = await measureWith(MANY);
await server?.stop();

console.log(`\n${'median of 15, in ms'.padEnd(44)} ${FEW} posts  ${MANY} posts   times (target: 2)`);
for (const [name, smallTime] of small) {
  const largeTime = large.get(name) ?? 0;
  const times = largeTime / smallTime;
  console.log(
    `${name.padEnd(44)} ${smallTime.toFixed(1).padStart(9)} ${largeTime.toFixed(1).padStart(13)} ${times.toFixed(1).padStart(7)}`,
  );
  if (times > 2) process.exitCode = 1;
}

async function measureWith(posts: number): Promise<ReadonlyMap<string, number>> {
  const folder = await mkdtemp(join(tmpdir(), 'many-posts-'));
  const environment: Record<string, string> = {
    STARTER_CONTENT: 'off',
    ADMIN_EMAIL: ADMIN.email,
    ADMIN_PASSWORD: ADMIN.password,
  };
  if (server) {
    const admin = openPostgresDatabase(server.url, 1);
    await admin.script(`create database posts_${posts}`);
    await admin.close();
    environment['DATABASE_URL'] = server.url.replace(/\w+$/, `posts_${posts}`);
  }
  const url = environment['DATABASE_URL'];
  await (await startSite(folder, environment)).stop();
  const postgres = url ? openPostgresDatabase(url) : null;
  const { database, close } = postgres
    ? { database: postgres, close: () => postgres.close() }
    : await openFolder(folder);
  await fill(database, posts);
  await close();
  const site = await startSite(folder, environment);
  try {
    return await measure(site);
  } finally {
    await site.stop();
    await removeFolder(folder);
  }
}

/**
 * Posts of 500 bytes in ten categories, with words that occur in all posts, in a tenth of them and in only one. No history
 * is written.
 */
async function fill(database: Database, posts: number): Promise<void> {
  await database.script(`
    alter table public.posts disable trigger keep_versions;
    alter table public.posts disable trigger track_references;
  `);
  const step = 10_000;
  for (let from = 0; from < posts; from += step) {
    await database.query(
      `insert into public.posts (title, slug, excerpt, content, category, status, published_date, created_at)
       select 'Post ' || n, 'post-' || n, 'An excerpt of post ' || n,
         'Everywhere and often' || n % 10 || ' the word only' || n || repeat(' and more words of an article', 10),
         'Category ' || n % 10, case when n % 20 = 0 then 'draft' else 'published' end,
         now() - n * interval '5 minutes', now() - n * interval '5 minutes'
       from generate_series($1::integer + 1, $2::integer) as n`,
      [from, Math.min(from + step, posts)],
    );
  }
  await database.script('alter table public.posts enable trigger all');
}

async function measure(site: SiteProcess): Promise<ReadonlyMap<string, number>> {
  const key = /sb_publishable_[\w-]+/.exec(await (await fetch(site.url)).text())?.[0] ?? '';
  const signIn = await fetch(`${site.url}/auth/v1/token?grant_type=password`, {
    method: 'POST',
    headers: { apikey: key, 'content-type': 'application/json' },
    body: JSON.stringify(ADMIN),
  });
  const { access_token } = (await signIn.json()) as { access_token: string };
  const headers = { apikey: key, authorization: `Bearer ${access_token}`, 'content-type': 'application/json' };
  const send = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(site.url + path, init);
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`${path} returned ${response.status}\n${site.output().slice(-2000)}`);
  };
  const read = (path: string) => () => send(`/rest/v1/${path}`, { headers });
  const rpc = (name: string, args: object) => () =>
    send(`/rest/v1/rpc/${name}`, { method: 'POST', headers, body: JSON.stringify(args) });
  const setting = { setting_key: 'bench', setting_value: 'x' };
  /** Clears the page cache of the site. */
  const change = () =>
    send('/rest/v1/site_settings?on_conflict=setting_key', {
      method: 'POST',
      headers: { ...headers, prefer: 'resolution=merge-duplicates' },
      body: JSON.stringify(setting),
    });
  const columns = 'id,title,slug,excerpt,category,status,featured_image,published_date,updated_at';
  const searchArgs = (_query: string) => ({ _kind: 'posts', _query, _columns: ['id', 'title', 'slug'] });
  const operations: [name: string, run: () => Promise<void>, prepare?: () => Promise<void>][] = [
    ['News page', () => send('/news'), change],
    ['News of a category', () => send('/news?category=Category%203'), change],
    ['News search, a word of one post', () => send('/news?q=only77'), change],
    ['News search, a word of all posts', () => send('/news?q=everywhere'), change],
    ['Sitemap', () => send('/sitemap.xml'), change],
    ['Admin list', read(`posts?select=${columns}&order=published_date.desc,created_at.desc,id&offset=0&limit=24`)],
    [
      'Admin list, drafts',
      read(`posts?select=${columns}&status=eq.draft&order=published_date.desc,created_at.desc,id&offset=0&limit=24`),
    ],
    ['Admin list, by title', read(`posts?select=${columns}&order=title,id&offset=0&limit=24`)],
    ['Admin search, a word of one post', rpc('search_content', searchArgs('only77'))],
    ['Admin search, a word of all posts', rpc('search_content', searchArgs('everywhere'))],
    ['Palette, a word of all posts', rpc('search_everywhere', { _query: 'everywhere' })],
    ['Counts of the admin list', read('posts?select=id&status=eq.draft&limit=1')],
    ['Categories of the admin list', rpc('list_categories', { _kind: 'posts' })],
    ['One post', () => send('/news/post-77'), change],
  ];
  const medians = new Map<string, number>();
  for (const [name, run, prepare] of operations) {
    const times: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      await prepare?.();
      const start = performance.now();
      await run();
      times.push(performance.now() - start);
    }
    medians.set(name, times.sort((a, b) => a - b)[ROUNDS >> 1] ?? 0);
  }
  return medians;
}
