/**
 * Runs the query fuzzer for a long time. It sends random requests that the parser of the table API accepts, as a visitor, a
 * client and an admin. Every block of 10,000 requests uses a new database, so that a block can be repeated with its first seed.
 *
 *   node bench/fuzz-rest.ts [first seed, 0 by default] [count, 1,000,000 by default]
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { parseConfig } from '../packages/backend/src/config.ts';
import { openTemporaryDatabase } from '../packages/backend/src/postgres/temporary-database.ts';
import { createSiteBackend } from '../server/site-backend.ts';
import { createCallers } from '../tests/support/fuzz-callers.ts';
import { fuzzRest } from '../tests/support/fuzz-rest.ts';

const BLOCK = 10_000;

const first = Number(process.argv[2] ?? 0);
const count = Number(process.argv[3] ?? 1_000_000);

const statuses = new Map<number, number>();
for (let from = first; from < first + count; from += BLOCK) {
  const folder = await mkdtemp(join(tmpdir(), 'signalfjord-fuzz-'));
  const database = await openTemporaryDatabase();
  const config = parseConfig(
    { DATA_DIR: folder, RATE_LIMITS: 'off' },
    { REST_AGGREGATES: 'on', REST_TX_OVERRIDE: 'on' },
  );
  const backend = await createSiteBackend(config, { database, log: pino({ level: 'silent' }) });
  const start = performance.now();
  const block = { from, count: Math.min(BLOCK, first + count - from) };
  const result = await fuzzRest(backend, await createCallers(backend), block);
  for (const [status, times] of result.statuses) statuses.set(status, (statuses.get(status) ?? 0) + times);
  const seconds = Math.round((performance.now() - start) / 1000);
  console.log(
    `${from + block.count - first} of ${count}: next seed ${from + block.count}, ${seconds} s, ` +
      `slowest ${Math.round(result.slowestMs)} ms, statuses ${JSON.stringify(Object.fromEntries([...statuses].sort()))}`,
  );
  await backend.close();
  await rm(folder, { recursive: true, force: true });
}
