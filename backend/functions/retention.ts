import type { BackendContext } from '../context.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Functions without arguments that delete what is kept too long, and return how many rows that was. */
const DELETIONS = [
  'delete_expired_conversations',
  'delete_expired_bookings',
  'delete_old_visit_counts',
  'delete_old_versions',
  'delete_old_trash',
];

/**
 * Deletes what is kept too long, now and once a day: conversations and bookings by the setting chat_retention_days,
 * figures of visits after 25 months, versions of content 90 days after they were replaced, deleted items after 30 days. Several copies of the process may do it: each is one statement, and what is gone is gone.
 * @returns the way to stop, which waits for a deletion under way
 */
export function startRetention({ database, log }: BackendContext): () => Promise<void> {
  const deleteOld = async (name: string) => {
    try {
      const { rows } = await database.query<{ deleted: number }>(`select private.${name}() as deleted`);
      const deleted = rows[0]?.deleted ?? 0;
      if (deleted > 0) log.info({ function: name, deleted }, 'What was kept long enough was deleted');
    } catch (error) {
      log.error(error, `private.${name}() failed`);
    }
  };
  let running: Promise<unknown> = Promise.resolve();
  const run = () => {
    running = Promise.all(DELETIONS.map(deleteOld));
  };
  run();
  const timer = setInterval(run, DAY_MS);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await running;
  };
}
