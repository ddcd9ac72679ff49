/** Background jobs of the site. */
import { type Database, type Job, type JobDependencies, POLL_INTERVAL_MS } from '@signalfjord/backend';
import type { Logger } from 'pino';
import { getUpstream } from '../functions/site-functions.ts';
import { duePostsJob } from './announce-due-posts.ts';
import { clientWebhookJob, webhookJob } from './deliver-webhooks.ts';
import { summariesJob } from './fill-summaries.ts';
import { calendarsJob } from './read-calendars.ts';

const MINUTE_MS = 60_000;

/** On a hosted project, pg_cron runs the database jobs (docs/hosted.md). */
export function siteJobs({ config, database, log, origin }: JobDependencies): Job[] {
  const model = getUpstream(config);
  return [
    duePostsJob(database),
    functionJob(database, 'publish releases', 'release_planned', 'private.publish_next_due_release()'),
    functionJob(
      database,
      'create reports',
      'report_planned',
      `private.make_next_due_report() or private.send_monday_list() or private.mail_next_waiting_lead()
        or private.mail_next_meeting_results()`,
    ),
    dailyJob(database, log),
    webhookJob(database, origin, log),
    clientWebhookJob(database, origin, log),
    calendarsJob(database, log),
    ...(model ? [summariesJob(database, model, log)] : []),
  ];
}

/** Job of a database function that processes one due item and returns false if no item was due. */
function functionJob(database: Database, name: string, channel: string, call: string): Job {
  return {
    name,
    channels: [channel],
    async run() {
      const { rows } = await database.query<{ was_due: boolean }>(`select ${call} as was_due`);
      return rows[0]?.was_due ? 0 : POLL_INTERVAL_MS;
    },
  };
}

/** Runs the daily functions of private.jobs, one step after the other. */
function dailyJob(database: Database, log: Logger): Job {
  return {
    name: 'run daily functions',
    async run() {
      const { rows } = await database.query<{ name: string | null; error: string | null }>(
        'select name, error from private.run_due_job()',
      );
      const { name = null, error = null } = rows[0] ?? {};
      if (error !== null) log.error({ job: name, error }, 'A daily function failed');
      return name === null ? MINUTE_MS : 0;
    },
  };
}
