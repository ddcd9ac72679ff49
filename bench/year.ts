/**
 * A site after a year: what its data costs each screen, beside a site on its first day. Every public page and every
 * screen of the admin area is opened in a browser, and of each answer that it asks for the server's time is taken, from
 * the request to the first byte.
 *
 *     node bench/year.ts [--postgres]      on the embedded database, or on a Postgres server of its own
 */
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Page, type Request } from '@playwright/test';
import type { Database } from '../backend/database/database.ts';
import { openPgliteDatabase } from '../backend/database/pglite-database.ts';
import { openPostgresDatabase } from '../backend/database/postgres-database.ts';
import { CHROMIUM_ARGUMENTS, requireChromium } from '../tests/support/chromium.ts';
import { startNativePostgres } from '../tests/support/native-postgres.ts';
import { ADMIN_SCREENS, PUBLIC_SCREENS } from '../tests/support/screens.ts';
import { AS_IN_PRODUCTION, removeFolder, type SiteProcess, startSite } from '../tests/support/site.ts';

/** Milliseconds that a screen may wait for the server. */
const SCREEN_MS = 300;

const ADMIN = { email: 'bench@example.com', password: 'Right-password-1' };

/** Screens that only a long list has, and what is asked of it. */
const DEEP_SCREENS = [
  '/news?page=200',
  '/news?q=harbour',
  '/news?category=Category%203&page=20',
  '/admin/posts?page=200',
  '/admin/posts?q=harbour',
  '/admin/leads?page=2000',
  '/admin/leads?q=person49',
  '/admin/conversations?page=1600',
  '/admin/people?page=4000',
  '/admin/people?q=person49999',
  '/admin/media?page=1200',
  '/admin/releases?page=16',
];

type Times = ReadonlyMap<string, number>;

const server = process.argv.includes('--postgres') ? await startNativePostgres() : null;
const browser = await chromium.launch({ executablePath: requireChromium(), args: CHROMIUM_ARGUMENTS });
const screens = [...PUBLIC_SCREENS, ...DEEP_SCREENS, ...ADMIN_SCREENS];
const first = await withSiteOf('first_day', async () => {}, measureScreens);
const year = await withSiteOf('year', fill, measureScreens);
await browser.close();
await server?.stop();

console.log(`\n${'slowest answer of each screen, ms'.padEnd(44)} first day     year   target ${SCREEN_MS}`);
for (const path of screens) {
  const took = year.get(path) ?? 0;
  console.log(
    path.padEnd(44),
    String(first.get(path) ?? '').padStart(9),
    String(took).padStart(8),
    mark(took, SCREEN_MS),
  );
}
function mark(took: number, target: number): string {
  if (took <= target) return '';
  process.exitCode = 1;
  return 'missed';
}

async function withSiteOf<T>(
  name: string,
  prepare: (database: Database) => Promise<void>,
  measure: (site: SiteProcess) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), `${name}-`));
  const environment: Record<string, string> = { ADMIN_EMAIL: ADMIN.email, ADMIN_PASSWORD: ADMIN.password };
  const url = server?.url.replace(/\w+$/, name);
  if (server && url) {
    const owner = openPostgresDatabase(server.url, 1);
    await owner.script(`create database ${name}`);
    await owner.close();
    environment['DATABASE_URL'] = url;
  }
  await (await startSite(folder, environment, AS_IN_PRODUCTION)).stop();
  const database = url ? openPostgresDatabase(url) : await openPgliteDatabase({ folder: join(folder, 'postgres') });
  await prepare(database);
  await database.close();
  const site = await startSite(folder, environment, AS_IN_PRODUCTION);
  try {
    return await measure(site);
  } finally {
    await site.stop();
    await removeFolder(folder);
  }
}

/** Returns of each screen the milliseconds of its slowest answer, when it is opened for the second time. */
async function measureScreens(site: SiteProcess): Promise<Times> {
  const context = await browser.newContext();
  const page = await context.newPage();
  const response = await page.request.post(`${site.url}/auth/v1/token?grant_type=password`, { data: ADMIN });
  await page.goto(`${site.url}/robots.txt`);
  const key = `sb-${new URL(site.url).hostname.split('.')[0]}-auth-token`;
  await page.evaluate(([name, session]) => localStorage.setItem(name, session), [key, await response.text()] as const);
  const slowest = new Map<string, number>();
  for (const path of screens) {
    await open(page, site.url + path);
    slowest.set(path, await open(page, site.url + path));
  }
  await context.close();
  return slowest;
}

async function open(page: Page, url: string): Promise<number> {
  let slowest = 0;
  const note = (request: Request) => {
    const { requestStart, responseStart } = request.timing();
    const { pathname } = new URL(request.url());
    if (/^\/(?:assets|chat-embed|embed)/.test(pathname) || responseStart < 0) return;
    slowest = Math.max(slowest, Math.round(responseStart - requestStart));
  };
  page.on('requestfinished', note);
  await page.goto(url);
  await page.waitForLoadState('networkidle');
  page.off('requestfinished', note);
  return slowest;
}

/** Fills the tables as a busy year does. Triggers of content stay on, so that its indexes and counts are as they would be. */
async function fill(database: Database): Promise<void> {
  const steps: [what: string, rows: number, sql: string][] = [
    [
      'accounts',
      100_000,
      `insert into auth.users (id, aud, role, email, email_confirmed_at, raw_app_meta_data, raw_user_meta_data, created_at, updated_at, last_sign_in_at)
       select gen_random_uuid(), 'authenticated', 'authenticated', 'person' || n || '@example.com', now(), '{"provider":"email"}',
         jsonb_build_object('full_name', 'Person ' || n), now() - n * interval '5 minutes', now(), now() - n * interval '4 minutes'
       from generate_series($1::integer, $2::integer) as n`,
    ],
    [
      'posts',
      5_000,
      `insert into public.posts (title, slug, excerpt, content, category, status, published_date, created_at)
       select 'Post ' || n, 'post-' || n, 'An excerpt of post ' || n,
         repeat('Words of article ' || n || case when n % 10 = 0 then ' at the harbour. ' else ' by the sea. ' end, 60),
         'Category ' || n % 10, case when n % 20 = 0 then 'draft' else 'published' end,
         now() - n * interval '100 minutes', now() - n * interval '100 minutes'
       from generate_series($1::integer, $2::integer) as n`,
    ],
    [
      'versions',
      250_000,
      `insert into public.content_versions (kind, item_id, data, action, changes, created_at)
       select 'posts', id::text, to_jsonb(posts), 'changed', '{content}', now() - (n % 50) * interval '3 days'
       from generate_series($1::integer, $2::integer) as n join public.posts on slug = 'post-' || n / 50 + 1`,
    ],
    [
      'conversations',
      40_000,
      `insert into public.conversations (id, created_at, last_message_at)
       select md5('chat ' || n)::uuid, now() - n * interval '12 minutes', now() - n * interval '12 minutes'
       from generate_series($1::integer, $2::integer) as n`,
    ],
    [
      'messages',
      200_000,
      `insert into public.chat_messages (conversation_id, role, content, created_at)
       select md5('chat ' || n / 5 + 1)::uuid, case n % 2 when 0 then 'user' else 'assistant' end,
         'Message ' || n || repeat(' and what was said', 8), now() - (n / 5) * interval '12 minutes' + (n % 5) * interval '1 minute'
       from generate_series($1::integer, $2::integer - 5) as n`,
    ],
    [
      'leads',
      50_000,
      `insert into public.leads (source, name, email, message, status, created_at, updated_at)
       select 'contact', 'Person ' || n, 'person' || n || '@example.com', 'Please write to me about number ' || n,
         (array['new', 'contacted', 'won', 'lost'])[n % 4 + 1], now() - n * interval '10 minutes', now() - n * interval '10 minutes'
       from generate_series($1::integer, $2::integer) as n`,
    ],
    [
      'bookings',
      20_000,
      `insert into public.bookings (slot, name, email, time_zone, token_hash, created_at)
       select tstzrange(start, start + interval '20 minutes'), 'Person ' || n, 'person' || n || '@example.com', 'Europe/Oslo',
         encode(sha256(n::text::bytea), 'hex'), start - interval '3 days'
       from generate_series($1::integer, $2::integer) as n,
         lateral (select date_trunc('hour', now()) + interval '7 days' - n * interval '25 minutes' as start) as at`,
    ],
    [
      'visits',
      180_000,
      `insert into public.visit_counts (day, kind, name, count, reads, read_seconds)
       select (now() - (n / 500) * interval '1 day')::date, case when n % 5 = 0 then 'referrer' else 'page' end,
         '/news/post-' || n % 500, 28, 10, 600
       from generate_series($1::integer, $2::integer) as n on conflict do nothing`,
    ],
    [
      'files',
      30_000,
      `insert into storage.objects (bucket_id, name, metadata, user_metadata, created_at)
       select 'content-media', 'f' || n || '.jpg',
         jsonb_build_object('mimetype', 'image/jpeg', 'size', 250000, 'width', 1600, 'height', 900),
         jsonb_build_object('original_name', 'Ferry ' || n || '.jpg', 'alt', 'The ferry, number ' || n, 'folder', 'Folder ' || n % 20),
         now() - n * interval '15 minutes'
       from generate_series($1::integer, $2::integer) as n`,
    ],
    [
      'releases',
      400,
      `insert into public.releases (name, published_at, created_at)
       select 'Release ' || n, now() - n * interval '20 hours', now() - n * interval '21 hours'
       from generate_series($1::integer, $2::integer) as n`,
    ],
  ];
  for (const [what, rows, sql] of steps) {
    const start = performance.now();
    const portion = what === 'posts' || what === 'bookings' ? 500 : 10_000;
    for (let from = 1; from <= rows; from += portion) {
      await database.query(sql, [from, Math.min(from + portion - 1, rows)]);
    }
    console.log(`${rows} ${what} in ${Math.round((performance.now() - start) / 1000)} s`);
  }
  await database.query('analyze');
}
