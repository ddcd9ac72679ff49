/**
 * Compares one copy of the process with two copies on the same Postgres server. Measures requests per second, and the
 * CPU time per request in the copies and in Postgres. Requests per second are not meaningful if the load generator, the
 * copies and Postgres share few cores. If the CPU time per request is equal, two copies handle twice the load on enough
 * cores.
 *
 *     node bench/copies.ts [seconds, 8 by default]
 */
import { mkdtemp } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import autocannon from 'autocannon';
import { openPostgresDatabase } from '../packages/backend/src/database/postgres-database.ts';
import { PUBLISHABLE_KEY } from '../packages/backend/src/http/keys.ts';
import { startNativePostgres } from '../packages/backend/tests/support/native-postgres.ts';
import { removeFolder, type SiteProcess, startSite } from '../tests/support/site.ts';
import { processorTime } from './processor-time.ts';
import { report } from './site.ts';

const PATH = '/rest/v1/posts?select=*&order=published_date.desc&limit=20';
const headers = { apikey: PUBLISHABLE_KEY };
const seconds = Number(process.argv[2] ?? 8);

const postgres = await startNativePostgres();
const folder = await mkdtemp(join(tmpdir(), 'signalfjord-bench-'));
const database = openPostgresDatabase(postgres.url, 1);
const copies = [await startSite(folder, { DATABASE_URL: postgres.url })];
copies.push(await startSite(folder, { DATABASE_URL: postgres.url }));
try {
  await database.query(
    `insert into public.posts (title, slug, excerpt, content, category, status, published_date)
     select 'Post ' || n, 'post-' || n, repeat('excerpt ', 20), repeat('content ', 40), 'News', 'published',
       now() - n * interval '1 day' from generate_series(1, 200) n`,
  );
  await measure(copies);
  const oneCopy = await measure(copies.slice(0, 1));
  const twoCopies = await measure(copies);
  for (const [name, result] of Object.entries({ 'one copy': oneCopy, 'two copies': twoCopies })) {
    report(`Table requests, ${name}`, `${Math.round(result.perSecond)}/s`, `p99 ${result.p99} ms`);
    report('  CPU time per request in the copies', `${result.inCopies.toFixed(2)} ms`, '');
    report('  CPU time per request in Postgres', `${result.inPostgres.toFixed(2)} ms`, '');
  }
  report(
    'Throughput of two copies, by requests per second',
    `${(twoCopies.perSecond / oneCopy.perSecond).toFixed(2)} times`,
    `${availableParallelism()} cores for all`,
  );
  report(
    'Throughput of two copies, by CPU time',
    `${((2 * oneCopy.inCopies) / twoCopies.inCopies).toFixed(2)} times`,
    'target 1.7 times',
  );
  report('Copies that saturate one core of Postgres', (oneCopy.inCopies / oneCopy.inPostgres).toFixed(1), '');
} finally {
  for (const copy of copies) await copy.stop();
  await database.close();
  await postgres.stop();
  await removeFolder(folder);
}

async function measure(sites: readonly SiteProcess[]) {
  const [copiesBefore, postgresBefore] = [
    await timeOf(sites.map(({ process }) => process.pid)),
    await timeOfPostgres(),
  ];
  const results = await Promise.all(
    sites.map(({ url }) =>
      autocannon({ url: url + PATH, headers, connections: 10 / sites.length, duration: seconds, workers: 1 }),
    ),
  );
  const copyTime = (await timeOf(sites.map(({ process }) => process.pid))) - copiesBefore;
  const postgresTime = (await timeOfPostgres()) - postgresBefore;
  const failedCount = results.reduce((sum, { non2xx, errors }) => sum + non2xx + errors, 0);
  if (failedCount > 0) throw new Error(`${failedCount} requests failed`);
  const requests = results.reduce((sum, { requests: { total } }) => sum + total, 0);
  return {
    perSecond: requests / seconds,
    p99: Math.max(...results.map(({ latency }) => latency.p99)),
    inCopies: copyTime / requests,
    inPostgres: postgresTime / requests,
  };
}

async function timeOfPostgres(): Promise<number> {
  const { rows } = await database.query<{ pid: number }>(
    'select pid from pg_stat_activity where pid <> pg_backend_pid()',
  );
  return timeOf(rows.map(({ pid }) => pid));
}

function timeOf(pids: readonly (number | undefined)[]): Promise<number> {
  return processorTime(pids.map((pid) => `/proc/${pid}/stat`));
}
