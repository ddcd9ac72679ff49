import { type Database, type Job, ROWS_PER_STEP } from '@signalfjord/backend';
import type { Logger } from 'pino';

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Functions that delete or empty what is kept too long, or tell what has waited too long, at most as many rows of a table as
 * they are told, and return how many.
 */
const DELETIONS = [
  'delete_expired_conversations',
  'delete_expired_bookings',
  'delete_old_visit_counts',
  'delete_old_versions',
  'delete_old_trash',
  'empty_old_events',
  'delete_old_campaigns',
  'delete_old_approval_links',
  'tell_unread_approvals',
];

/**
 * Deletes all that one of the functions finds, in steps between which others have their turn.
 * @param stopped ends it after the step under way
 * @returns how many rows are gone
 */
export async function deleteInSteps(
  database: Pick<Database, 'query'>,
  name: string,
  stopped?: AbortSignal,
): Promise<number> {
  let sum = 0;
  while (!stopped?.aborted) {
    const { rows } = await database.query<{ deleted: number }>(`select private.${name}($1) as deleted`, [
      ROWS_PER_STEP,
    ]);
    const deleted = rows[0]?.deleted ?? 0;
    if (deleted === 0) break;
    sum += deleted;
  }
  return sum;
}

/**
 * Deletes what is kept too long, now and once a day: conversations and bookings by the setting chat_retention_days,
 * figures of visits after 25 months, versions of content 90 days after they were replaced, deleted items and campaigns and the
 * texts of events after 30 days. In the same turn what events of campaigns count is held against what was imported.
 * Several copies of the process may do it: each step is one statement, and what is gone is gone.
 */
export function startRetention(database: Database, log: Logger): Job {
  const stop = new AbortController();
  const deleteOld = async (name: string) => {
    try {
      const deleted = await deleteInSteps(database, name, stop.signal);
      if (deleted > 0) log.info({ function: name, deleted }, 'What was kept long enough was deleted, or told');
    } catch (error) {
      log.error(error, `private.${name}() failed`);
    }
  };
  const compare = async () => {
    try {
      await database.query('select private.compare_source_totals()');
    } catch (error) {
      log.error(error, 'private.compare_source_totals() failed');
    }
  };
  let running: Promise<unknown> = Promise.resolve();
  const run = () => {
    running = Promise.all([...DELETIONS.map(deleteOld), compare()]);
  };
  run();
  const timer = setInterval(run, DAY_MS);
  timer.unref();
  return {
    async stop() {
      clearInterval(timer);
      stop.abort();
      await running;
    },
  };
}
