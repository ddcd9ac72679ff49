/**
 * Measures password sign-ins with 10 connections, compared with a bcrypt loop on one core, and concurrent table
 * requests. Server, database and load generator share the machine.
 *
 *   node bench/sign-in.ts [seconds, 10 by default]
 */
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { serve } from '@hono/node-server';
import { hashSync, verifySync } from '@node-rs/bcrypt';
import autocannon from 'autocannon';
import { pino } from 'pino';
import { parseConfig } from '../packages/backend/src/config.ts';
import { PUBLISHABLE_KEY } from '../packages/backend/src/http/keys.ts';
import { openTemporaryDatabase } from '../packages/backend/src/postgres/temporary-database.ts';
import { createSiteBackend } from '../server/site-backend.ts';

const PASSWORD = 'Fjord-2026-signal';
const seconds = Number(process.argv[2] ?? 10);

const folder = await mkdtemp(join(tmpdir(), 'signalfjord-bench-'));
const database = await openTemporaryDatabase();
const log = pino({ level: 'silent' });
const backend = await createSiteBackend(parseConfig({ DATA_DIR: folder, RATE_LIMITS: 'off' }), { database, log });
await database.query(
  `insert into public.posts (title, slug, content, status, published_date)
   select 'Post ' || n, 'post-' || n, repeat('content ', 40), 'published', now() - n * interval '1 day'
   from generate_series(1, 200) n`,
);
const server = serve({ fetch: (request) => backend.fetch(request), port: 0, hostname: '127.0.0.1' });
await once(server, 'listening');
const address = server.address();
const origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;

/** One account for each connection. */
const bodies: string[] = [];
for (let n = 0; n < 10; n++) {
  const body = JSON.stringify({ email: `person-${n}@example.com`, password: PASSWORD });
  await backend.fetch(new Request(`${origin}/auth/v1/signup`, { method: 'POST', body }));
  bodies.push(body);
}

const signIns = (duration: number) =>
  autocannon({
    url: `${origin}/auth/v1/token?grant_type=password`,
    connections: bodies.length,
    duration,
    workers: 1,
    requests: bodies.map((body) => ({
      method: 'POST' as const,
      headers: { 'content-type': 'application/json' },
      body,
    })),
  });
const tableReads = (duration: number) =>
  autocannon({
    url: `${origin}/rest/v1/posts?select=*&order=published_date.desc&limit=20`,
    headers: { apikey: PUBLISHABLE_KEY },
    connections: 1,
    overallRate: 50,
    duration,
    workers: 1,
  });

const passwordHash = hashSync(PASSWORD, 10);
let hashes = 0;
const startedAt = performance.now();
while (performance.now() - startedAt < seconds * 1000) {
  verifySync(PASSWORD, passwordHash);
  hashes++;
}
const hashesPerSecond = (hashes / (performance.now() - startedAt)) * 1000;

await signIns(2);
const [signInResult, reads] = await Promise.all([signIns(seconds), tableReads(seconds)]);
const perSecond = signInResult.requests.average;
console.log(
  `bare bcrypt loop on one core: ${hashesPerSecond.toFixed(1)} hashes/s (${availableParallelism()} cores here)`,
);
console.log(
  `sign-in: ${perSecond.toFixed(1)}/s, ${(perSecond / hashesPerSecond).toFixed(2)} times one core, p99 ${signInResult.latency.p99} ms, ` +
    `${signInResult.non2xx + signInResult.errors} failed`,
);
console.log(
  `GET /rest/v1/posts in parallel, 50 a second: p50 ${reads.latency.p50} ms, p99 ${reads.latency.p99} ms, ` +
    `${reads.non2xx + reads.errors} failed`,
);
await new Promise((closed) => server.close(closed));
await backend.close();
await rm(folder, { recursive: true, force: true });
