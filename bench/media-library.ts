/**
 * Measures the response times of the media library with 100 and 20,000 files: a page, a search, a folder, unused files,
 * and the usage of a file. Most files are used in one of 2,000 articles.
 *
 *     node bench/media-library.ts
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { parseConfig } from '../packages/backend/src/config.ts';
import type { Database } from '../packages/backend/src/database/database.ts';
import { createSiteBackend } from '../server/site-backend.ts';

const ROUNDS = 40;

const CALLS: [string, string, object][] = [
  ['first page', 'media_library', {}],
  ['page 4', 'media_library', { _offset: 72 }],
  ['search', 'media_library', { _search: 'ferry 17' }],
  ['search without a match', 'media_library', { _search: 'nowhere' }],
  ['pictures', 'media_library', { _kind: 'image' }],
  ['one folder', 'media_library', { _folder: 'Folder 3' }],
  ['unused', 'media_library', { _unused: true }],
  ['folders', 'media_folders', {}],
  ['usage of one file', 'media_usage', { _name: 'f7.jpg' }],
  ['duplicate', 'find_media', { _sha256: 'f'.repeat(64) }],
];

const folder = await mkdtemp(join(tmpdir(), 'media-library-'));
const config = parseConfig({ DATA_DIR: folder, RATE_LIMITS: 'off', STARTER_CONTENT: 'off' });
const backend = await createSiteBackend(config, { log: pino({ level: 'silent' }) });
try {
  await fill(backend.database, 1, 100);
  const small = await measure();
  await fill(backend.database, 101, 20_000);
  const large = await measure();
  console.log('median ms            100 files   20,000 files');
  for (const [label] of CALLS) {
    console.log(label.padEnd(20), small.get(label)?.toFixed(1).padStart(9), large.get(label)?.toFixed(1).padStart(14));
  }
} finally {
  await backend.close();
  await rm(folder, { recursive: true, force: true });
}

async function fill(database: Database, from: number, to: number): Promise<void> {
  await database.query(
    `insert into storage.objects (bucket_id, name, metadata, user_metadata, created_at)
     select 'content-media', 'f' || n || '.jpg',
       jsonb_build_object('mimetype', case n % 10 when 0 then 'application/pdf' else 'image/jpeg' end, 'size', 250000,
         'width', 1600, 'height', 900, 'sha256', encode(sha256(n::text::bytea), 'hex')),
       jsonb_build_object('original_name', 'Ferry ' || n || ' at dawn.jpg', 'alt', 'The ferry to the islands, number ' || n,
         'folder', 'Folder ' || n % 20),
       now() - n * interval '1 minute'
     from generate_series($1::integer, $2::integer) as n`,
    [from, to],
  );
  // Every tenth file is unused. Each article uses about nine files.
  await database.query(
    `insert into public.posts (title, slug, status, content)
     select 'Article ' || article, 'article-' || article, 'published', string_agg(
       '![Ferry](/storage/v1/object/public/content-media/f' || n || '.jpg) and what there is to say of it.', E'\\n\\n')
     from generate_series($1::integer, $2::integer) as n, lateral (select n / 10 as article) as of_article
     where n % 10 <> 1 group by article
     on conflict do nothing`,
    [from, to],
  );
  await database.query('analyze');
}

async function measure(): Promise<Map<string, number>> {
  const medians = new Map<string, number>();
  for (const [label, name, parameters] of CALLS) {
    const times: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const request = new Request(`http://bench/rest/v1/rpc/${name}`, {
        method: 'POST',
        headers: { apikey: backend.keys.secretKey, 'content-type': 'application/json' },
        body: JSON.stringify(parameters),
      });
      const start = performance.now();
      const response = await backend.fetch(request, '127.0.0.1');
      const body = await response.text();
      times.push(performance.now() - start);
      if (!response.ok) throw new Error(`${label}: ${body}`);
    }
    medians.set(label, times.sort((a, b) => a - b)[ROUNDS / 2] ?? 0);
  }
  return medians;
}
