/**
 * Compares GET /rest/v1/posts with a loop that sends the same SQL to the same server without HTTP. A request reads 20
 * of 200 rows with active policies. There are 10 connections, and the load generator runs on the same cores.
 *
 *     node bench/rest-posts.ts [seconds, 10 by default]
 */
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serve } from '@hono/node-server';
import autocannon from 'autocannon';
import { pino } from 'pino';
import { parseConfig } from '../packages/backend/src/config.ts';
import type { Statement } from '../packages/backend/src/database/database.ts';
import { PUBLISHABLE_KEY } from '../packages/backend/src/http/keys.ts';
import { openTemporaryDatabase } from '../packages/backend/src/postgres/temporary-database.ts';
import { createSiteBackend } from '../server/site-backend.ts';

const PATH = '/rest/v1/posts?select=*&order=published_date.desc&limit=20';
const seconds = Number(process.argv[2] ?? 10);

const folder = await mkdtemp(join(tmpdir(), 'signalfjord-bench-'));
const database = await openTemporaryDatabase();
const log = pino({ level: 'silent' });
const backend = await createSiteBackend(parseConfig({ DATA_DIR: folder, RATE_LIMITS: 'off' }), { database, log });
await database.query(
  `insert into public.posts (title, slug, excerpt, content, category, status, published_date)
   select 'Post ' || n, 'post-' || n, repeat('excerpt ', 20), repeat('content ', 40), 'News',
     case when n % 10 = 0 then 'draft' else 'published' end, now() - n * interval '1 day'
   from generate_series(1, 222) n`,
);

let recorded: readonly Statement[] = [];
const batch = database.batch.bind(database);
database.batch = (statements, options) => {
  recorded = statements;
  return batch(statements, options);
};
const server = serve({ fetch: (request) => backend.fetch(request), port: 0, hostname: '127.0.0.1' });
await once(server, 'listening');
const address = server.address();
const port = typeof address === 'object' ? address?.port : undefined;
const options = {
  url: `http://127.0.0.1:${port}${PATH}`,
  headers: { apikey: PUBLISHABLE_KEY, authorization: `Bearer ${PUBLISHABLE_KEY}` },
  connections: 10,
  workers: 1,
};

await autocannon({ ...options, duration: 2 });
const result = await autocannon({ ...options, duration: seconds });
console.log(
  `table API: ${Math.round(result.requests.average)} requests/s, p50 ${result.latency.p50} ms, p99 ${result.latency.p99} ms, ` +
    `${result.non2xx + result.errors} failed, ${Math.round(result.throughput.average / result.requests.average)} bytes each`,
);

const end = Date.now() + seconds * 1000;
let count = 0;
for (; Date.now() < end; count++) await batch(recorded);
console.log(`bare loop: ${Math.round(count / seconds)} round trips/s of the same SQL`);
console.log(`memory: ${Math.round(process.memoryUsage().rss / 1024 / 1024)} MB`);

server.close();
await backend.close();
await rm(folder, { recursive: true, force: true });
