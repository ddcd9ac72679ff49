/**
 * Measures a history of a million versions. Over HTTP: the history of one item, one version, a save, and a page of
 * deleted items. A save writes a version and deletes the oldest versions above the limit. Also measures the daily clean-up.
 *
 *     node bench/content-history.ts
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { parseConfig } from '../packages/backend/src/config.ts';
import { createSiteBackend } from '../server/site-backend.ts';

const ROUNDS = 100;
const ITEMS = 20_000;
const VERSIONS = 50;

/** Ids of some articles. */
let ids: readonly string[] = [];

const folder = await mkdtemp(join(tmpdir(), 'content-history-'));
const config = parseConfig({ DATA_DIR: folder, RATE_LIMITS: 'off', STARTER_CONTENT: 'off' });
const backend = await createSiteBackend(config, { log: pino({ level: 'silent' }) });
try {
  await fill();
  ids = (await rows<{ id: string }>(`select id from posts order by slug limit ${ROUNDS}`)).map(({ id }) => id);
  const { count } = (await rows<{ count: number }>('select count(*)::integer as count from content_versions'))[0] ?? {};
  console.log(`${count} versions; median and slowest of ${ROUNDS}, in ms`);
  await measure('history of an item', (id) =>
    get(`content_versions?select=id,action,changes,author_id,created_at&kind=eq.posts&item_id=eq.${id}&order=id.desc`),
  );
  const newest = (await rows<{ id: number }>('select max(id) as id from content_versions'))[0]?.id ?? 0;
  await measure('one version', (_id, round) => get(`content_versions?select=data&id=eq.${newest - round}`));
  await measure('a save', (id, round) => send('PATCH', `posts?id=eq.${id}`, { excerpt: `Saved in round ${round}` }));
  await measure('deleted items', () =>
    get(
      'deleted_content?select=item_id,title,deleted_by,deleted_at&kind=eq.posts&order=deleted_at.desc,item_id&limit=24',
      { prefer: 'count=exact' },
    ),
  );
  for (const name of ['delete_old_versions', 'delete_old_trash']) {
    const start = performance.now();
    const [done] = await rows<{ deleted: number }>(`select private.${name}() as deleted`);
    console.log(`${name}: ${Math.round(performance.now() - start)} ms, ${done?.deleted} deleted`);
  }
} finally {
  await backend.close();
  await rm(folder, { recursive: true, force: true });
}

async function rows<Row extends object>(sql: string): Promise<Row[]> {
  return (await backend.database.query<Row>(sql)).rows;
}

/** Articles of 3 kB with the maximum number of versions. The oldest versions are due for deletion. */
async function fill(): Promise<void> {
  await backend.database.script(`
    alter table posts disable trigger user;
    insert into posts (title, slug, content)
      select 'Article ' || n, 'article-' || n, repeat('Words of article ' || n || '. ', 150) from generate_series(1, ${ITEMS}) as n;
    alter table posts enable trigger user;
  `);
  for (let version = 0; version < VERSIONS; version += 1) {
    await backend.database.query(
      `insert into content_versions (kind, item_id, data, action, changes, created_at)
       select 'posts', id::text, to_jsonb(posts), 'changed', '{content}', now() - $1 * interval '2 days' from posts`,
      [VERSIONS - version],
    );
  }
  await backend.database.script(`
    insert into deleted_content (kind, item_id, title, data, deleted_at)
      select 'posts', gen_random_uuid(), 'Deleted ' || n, '{}', now() - n * interval '4 minutes' from generate_series(1, 10000) as n;
    analyze;
  `);
}

async function measure(label: string, act: (id: string, round: number) => Promise<void>): Promise<void> {
  const times: number[] = [];
  for (const [round, id] of ids.entries()) {
    const start = performance.now();
    await act(id, round);
    times.push(performance.now() - start);
  }
  times.sort((a, b) => a - b);
  console.log(
    `${label.padEnd(20)} ${times[ROUNDS >> 1]?.toFixed(1).padStart(8)} ${times.at(-1)?.toFixed(1).padStart(8)}`,
  );
}

function get(path: string, headers: Record<string, string> = {}): Promise<void> {
  return send('GET', path, undefined, headers);
}

async function send(method: string, path: string, body?: object, headers: Record<string, string> = {}): Promise<void> {
  const response = await backend.fetch(
    new Request(`http://bench/rest/v1/${path}`, {
      method,
      headers: { apikey: backend.keys.secretKey, 'content-type': 'application/json', ...headers },
      ...(body && { body: JSON.stringify(body) }),
    }),
  );
  await response.text();
  if (!response.ok && response.status !== 206) throw new Error(`${method} ${path} returned ${response.status}`);
}
