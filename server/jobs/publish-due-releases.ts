import { type Database, type Job, startQueueWorker } from '@signalfjord/backend';
import type { Logger } from 'pino';

/** Publishes releases when their time has come, within five seconds. Several copies of the process may each look. */
export function publishDueReleases(database: Database, log: Logger): Promise<Job> {
  return startQueueWorker(database, log, {
    channel: 'release_planned',
    async doNext() {
      const { rows } = await database.query<{ was_due: boolean }>(
        'select private.publish_next_due_release() as was_due',
      );
      return rows[0]?.was_due === true;
    },
    name: 'the planned releases',
  });
}
