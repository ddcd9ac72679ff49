/** Runs the jobs of a process when the database announces work or when they are due. */
import type { Logger } from 'pino';
import type { Database } from '../database/database.ts';

/** Milliseconds between checks for work that is not announced, such as a retry. */
export const POLL_INTERVAL_MS = 5_000;

/** Maximum timer in milliseconds, because timers are limited to 24.8 days and a clock change must be noticed. */
const MAX_WAIT_MS = 60 * 60 * 1000;

export interface Job {
  /** Name in the log and in private.jobs, such as 'send mails'. */
  name: string;
  /** pg_notify channels that announce work. */
  channels?: readonly string[];
  /**
   * Does one unit of work.
   * @param signal aborted when the process ends
   * @returns milliseconds until the next run, 0 if there may be more work now
   */
  run(signal: AbortSignal): Promise<number>;
  /** Called once after the last run. */
  close?(): void;
}

export interface RunningJobs {
  /** Waits for the current runs, and starts no other run. */
  stop(): Promise<void>;
}

/** Starts jobs in parallel. Each runs sequentially. A failed run is logged and retried. */
export async function startJobs(database: Database, log: Logger, jobs: readonly Job[]): Promise<RunningJobs> {
  const started = await Promise.all(jobs.map((job) => startJob(database, log, job)));
  return {
    async stop() {
      await Promise.all(started.map((job) => job.stop()));
    },
  };
}

async function startJob(database: Database, log: Logger, job: Job): Promise<RunningJobs> {
  const controller = new AbortController();
  const isStopped = () => controller.signal.aborted;
  let timer: NodeJS.Timeout | undefined;
  let currentRun: Promise<void> | undefined;
  let isAnnounced = false;

  async function runUntilIdle(): Promise<number> {
    let wait = 0;
    while (!isStopped() && (wait <= 0 || isAnnounced)) {
      isAnnounced = false;
      wait = await job.run(controller.signal);
    }
    return wait;
  }

  function wake(): void {
    isAnnounced = true;
    if (isStopped() || currentRun) return;
    clearTimeout(timer);
    currentRun = runUntilIdle()
      .catch((error: unknown) => {
        if (!isStopped()) log.error({ err: error, job: job.name }, 'A job failed');
        return POLL_INTERVAL_MS;
      })
      .then((wait) => {
        currentRun = undefined;
        if (isStopped()) return;
        timer = setTimeout(wake, isAnnounced ? 0 : Math.min(wait, MAX_WAIT_MS)).unref();
      });
  }

  const stopListeners = await Promise.all((job.channels ?? []).map((channel) => database.listen(channel, wake)));
  wake();
  return {
    async stop() {
      controller.abort();
      clearTimeout(timer);
      await Promise.all(stopListeners.map((stopListening) => stopListening()));
      await currentRun;
      job.close?.();
    },
  };
}

/**
 * Creates a job that runs once per period across all processes and restarts, because private.jobs stores when it is
 * due. A failed run is recorded there and retried after an hour.
 * @param hours length of the period
 * @param work does all work of a run, and returns early if its signal is aborted
 */
export function periodicJob(
  database: Database,
  { name, hours, work }: { name: string; hours: number; work(signal: AbortSignal): Promise<void> },
): Job {
  return {
    name,
    async run(signal) {
      if (await claim(database, name, hours)) {
        try {
          await work(signal);
        } catch (error) {
          await database.query(
            `update private.jobs set next_run_at = now() + interval '1 hour', last_error = $2 where name = $1`,
            [name, error instanceof Error ? error.message : String(error)],
          );
          throw error;
        }
      }
      return MAX_WAIT_MS;
    },
  };
}

/** Claims the due run if no other process has claimed it. */
async function claim(database: Database, name: string, hours: number): Promise<boolean> {
  const { rows } = await database.query(
    `insert into private.jobs as job (name, next_run_at, last_run_at) values ($1, now() + make_interval(hours => $2), now())
     on conflict (name) do update set next_run_at = excluded.next_run_at, last_run_at = now(), last_error = null
       where job.next_run_at <= now()
     returning name`,
    [name, hours],
  );
  return rows.length > 0;
}
