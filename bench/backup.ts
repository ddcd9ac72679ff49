/**
 * Measures the highest latency of reads and writes during `npm run backup` of a running site with a year's data.
 *
 *     node bench/backup.ts [--postgres]      on the built-in database, or with --postgres on a Postgres server
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../packages/backend/src/database/database.ts';
import { PUBLISHABLE_KEY } from '../packages/backend/src/http/keys.ts';
import { startNativePostgres } from '../packages/backend/tests/support/native-postgres.ts';
import type { SiteProcess } from '../tests/support/site.ts';
import { fillYear } from './year-data.ts';
import { type FilledSite, withFilledSite } from './year-site.ts';

/** Target for the highest latency. */
const TARGET_MS = 100;

const QUIET_MS = 10_000;
const PAUSE_MS = 5;

const headers = { apikey: PUBLISHABLE_KEY, 'content-type': 'application/json' };

const server = process.argv.includes('--postgres') ? await startNativePostgres() : null;
await withFilledSite('year', server, prepare, measure);
await server?.stop();

/** Fills the database and runs the daily deletions, which would distort the measurement. */
async function prepare(database: Database): Promise<void> {
  await fillYear(database);
  await database.query('select private.delete_old_versions(), private.delete_expired_conversations()');
}

async function measure(filled: FilledSite): Promise<void> {
  await measureLatencies(filled.site, sleep(2_000));
  printLatencies('without a backup', await measureLatencies(filled.site, sleep(QUIET_MS)));
  const start = performance.now();
  const duringBackup = await measureLatencies(filled.site, backUp(filled));
  printLatencies(`during a backup of ${Math.round((performance.now() - start) / 1000)} s`, duringBackup);
  if (Math.max(...duringBackup.reads, ...duringBackup.writes) > TARGET_MS) process.exitCode = 1;
}

interface Latencies {
  reads: number[];
  writes: number[];
}

/**
 * Reads posts and starts conversations, one request of each kind at a time, until `work` is done. @returns durations in
 * ms
 */
async function measureLatencies({ url }: SiteProcess, work: Promise<unknown>): Promise<Latencies> {
  let isOver = false;
  const finished = work.finally(() => {
    isOver = true;
  });
  const repeat = async (send: () => Promise<Response>) => {
    const times: number[] = [];
    while (!isOver) {
      const start = performance.now();
      const response = await send();
      await response.text();
      times.push(performance.now() - start);
      if (!response.ok) throw new Error(`${response.url} returned ${response.status}`);
      await sleep(PAUSE_MS);
    }
    return times;
  };
  const [reads, writes] = await Promise.all([
    repeat(() => fetch(`${url}/rest/v1/posts?select=id,title&order=published_date.desc&limit=20`, { headers })),
    repeat(() => fetch(`${url}/rest/v1/conversations`, { method: 'POST', headers, body: '{}' })),
    finished,
  ]);
  return { reads, writes };
}

async function backUp({ variables }: FilledSite): Promise<void> {
  const archive = join(tmpdir(), `year-${process.pid}.zip`);
  const child = spawn(process.execPath, ['scripts/export.ts', archive], {
    env: { PATH: process.env['PATH'], ...variables },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const [code] = await once(child, 'exit');
  await rm(archive, { force: true });
  if (code !== 0) throw new Error(`The backup ended with code ${code}`);
}

function printLatencies(label: string, { reads, writes }: Latencies): void {
  for (const [operation, times] of Object.entries({ reading: reads, writing: writes })) {
    const sorted = times.toSorted((a, b) => a - b);
    const percentile = (share: number) => Math.round(sorted[Math.floor(share * (sorted.length - 1))] ?? 0);
    console.log(
      `${label}, ${operation} (${sorted.length}): median ${percentile(0.5)}, p99 ${percentile(0.99)}, longest ${percentile(1)} ms, target ${TARGET_MS}`,
    );
  }
}
