import { setTimeout as wait } from 'node:timers/promises';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openTestDatabase } from '../../tests/support/test-database.ts';
import type { Database } from '../database/database.ts';
import { createMissingObjects } from '../database/own-objects.ts';
import { type Job, periodicJob, startJobs } from './jobs.ts';

const HOUR_MS = 60 * 60 * 1000;

let database: Database;
let logged: { job?: string; msg: string }[] = [];
const log = pino({ level: 'error' }, { write: (line: string) => void logged.push(JSON.parse(line)) });

beforeAll(async () => {
  database = await openTestDatabase();
  await createMissingObjects(database);
});
afterAll(() => database.close());
beforeEach(() => {
  logged = [];
});

/** Creates a job that counts its runs and listens for announcements. */
function createCountingJob(name: string, run: (runs: number) => Promise<number> = async () => HOUR_MS) {
  const job = {
    name,
    channels: ['work'],
    runs: 0,
    async run() {
      job.runs += 1;
      return run(job.runs);
    },
  };
  return job satisfies Job;
}

const announce = () => database.query('notify work');

test('A job runs at startup until no work is left, and again when work is announced', async () => {
  const job = createCountingJob('count', async (runs) => (runs < 3 ? 0 : HOUR_MS));
  const jobs = await startJobs(database, log, [job]);
  await expect.poll(() => job.runs).toBe(3);
  await announce();
  await expect.poll(() => job.runs).toBe(4);
  await jobs.stop();
});

test('Work announced during a run starts another run, and runs of one job never overlap', async () => {
  let running = 0;
  const entered = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const job = createCountingJob('hold', async (runs) => {
    running += 1;
    expect(running).toBe(1);
    entered.resolve();
    if (runs === 1) await release.promise;
    running -= 1;
    return HOUR_MS;
  });
  const jobs = await startJobs(database, log, [job]);
  await entered.promise;
  await announce();
  // Wait for the announcement to arrive at another listener.
  const received = Promise.withResolvers<void>();
  const stopListening = await database.listen('work', () => received.resolve());
  await announce();
  await received.promise;
  release.resolve();
  await expect.poll(() => job.runs).toBe(2);
  await stopListening();
  await jobs.stop();
});

test('A failed job is logged with its name, and other jobs continue', async () => {
  const failing = createCountingJob('fail', () => Promise.reject(new Error('No room')));
  const otherJob = createCountingJob('other');
  const jobs = await startJobs(database, log, [failing, otherJob]);
  await expect.poll(() => logged).toMatchObject([{ job: 'fail', msg: 'A job failed' }]);
  await announce();
  await expect.poll(() => otherJob.runs).toBe(2);
  await jobs.stop();
});

test('Stopping a job aborts its signal, waits for the current run, and starts no other run', async () => {
  let isAborted = false;
  let isClosed = false;
  let runs = 0;
  const job: Job = {
    name: 'long',
    channels: ['work'],
    async run(signal) {
      runs += 1;
      await wait(HOUR_MS, undefined, { signal }).catch(() => undefined);
      isAborted = signal.aborted;
      return 0;
    },
    close() {
      isClosed = true;
    },
  };
  const jobs = await startJobs(database, log, [job]);
  await expect.poll(() => runs).toBe(1);
  await jobs.stop();
  expect([runs, isAborted, isClosed]).toEqual([1, true, true]);
  expect(logged).toEqual([]);
});

test('A periodic job runs once per period across all processes and restarts', async () => {
  let runs = 0;
  const work = async () => {
    runs += 1;
  };
  const dailyJob = () => periodicJob(database, { name: 'daily', hours: 24, work });
  for (let start = 1; start <= 2; start += 1) {
    const jobs = await startJobs(database, log, [dailyJob(), dailyJob()]);
    await jobs.stop();
  }
  expect(runs).toBe(1);
  await database.query(`update private.jobs set next_run_at = now() where name = 'daily'`);
  const jobs = await startJobs(database, log, [dailyJob(), dailyJob()]);
  await jobs.stop();
  expect(runs).toBe(2);
});

test('A failed periodic job is recorded and due again after an hour', async () => {
  const work = () => Promise.reject(new Error('No room'));
  const jobs = await startJobs(database, log, [periodicJob(database, { name: 'failing', hours: 24, work })]);
  await expect.poll(() => logged.length).toBe(1);
  await jobs.stop();
  const { rows } = await database.query(
    `select last_error, round(extract(epoch from next_run_at - last_run_at) / 3600)::integer as hours
     from private.jobs where name = 'failing'`,
  );
  expect(rows).toEqual([{ last_error: 'No room', hours: 1 }]);
});
