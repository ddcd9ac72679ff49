import { type Database, type Job, startQueueWorker } from '@signalfjord/backend';
import type { Logger } from 'pino';

/** Creates due drafts of reports, and sends the Monday list, within five seconds. Safe in several processes. */
export function makeDueReports(database: Database, log: Logger): Promise<Job> {
  return startQueueWorker(database, log, {
    channel: 'report_planned',
    async doNext() {
      const { rows } = await database.query<{ was_due: boolean }>(
        'select private.make_next_due_report() or private.send_monday_list() as was_due',
      );
      return rows[0]?.was_due === true;
    },
    name: 'the reports that are due',
  });
}
