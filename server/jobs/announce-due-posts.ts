import type { Database, Job } from '@signalfjord/backend';
import type { Logger } from 'pino';

/** Timers take no more than 24.8 days, and a clock that was set meanwhile is noticed within this time. */
const MAX_WAIT_MS = 60 * 60 * 1000;

/**
 * Says that content changed at the moment when a scheduled post is due, so that kept pages are dropped to the second.
 * Several copies of the process may each say it.
 */
export async function announceDuePosts(database: Database, log: Logger): Promise<Job> {
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();
  let isStopped = false;

  const wait = (milliseconds: number, then: () => void) => {
    clearTimeout(timer);
    if (isStopped) return;
    timer = setTimeout(then, milliseconds);
    timer.unref();
  };

  const announce = () => {
    running = database.query(`select pg_notify('content_changed', 'posts')`).then(
      () => undefined,
      (error: unknown) => log.error({ err: error }, 'A due post could not be announced'),
    );
  };

  const look = () => {
    running = nextDue(database).then(
      (due) => (due !== null && due <= MAX_WAIT_MS ? wait(due, announce) : wait(MAX_WAIT_MS, look)),
      (error: unknown) => {
        log.error({ err: error }, 'Scheduled posts could not be read');
        wait(MAX_WAIT_MS, look);
      },
    );
  };

  // A new announcement is heard here, too, and the next post is looked for.
  const stopListening = await database.listen('content_changed', (table) => {
    if (table === 'posts') look();
  });
  look();
  return {
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await stopListening();
      await running;
    },
  };
}

/** Milliseconds by the clock of the database until the next scheduled post is due; null when there is none. */
async function nextDue(database: Database): Promise<number | null> {
  const { rows } = await database.query<{ milliseconds: number | null }>(
    `select ceil(extract(epoch from min(published_date) - clock_timestamp()) * 1000)::float8 as milliseconds
     from public.posts where status = 'published' and published_date > now()`,
  );
  const milliseconds = rows[0]?.milliseconds ?? null;
  return milliseconds === null ? null : Math.max(0, milliseconds);
}
