/** Background jobs of the site. */
import { type Database, type Job, type JobParts, LOOK_AGAIN_MS } from '@signalfjord/backend';
import { upstreamOf } from '../functions/site-functions.ts';
import { duePostsJob } from './announce-due-posts.ts';
import { webhookJob } from './deliver-webhooks.ts';
import { summariesJob } from './fill-summaries.ts';
import { calendarsJob } from './read-calendars.ts';

export function siteJobs({ config, database, log, origin }: JobParts): Job[] {
  const model = upstreamOf(config);
  return [
    duePostsJob(database),
    databaseJob(database),
    webhookJob(database, origin, log),
    calendarsJob(database, log),
    ...(model ? [summariesJob(database, model, log)] : []),
  ];
}

/** Runs private.run_due_job(): releases, reports and daily functions. A hosted project uses pg_cron instead. */
function databaseJob(database: Database): Job {
  return {
    name: 'run database jobs',
    channels: ['release_planned', 'report_planned'],
    async run() {
      const { rows } = await database.query<{ was_due: boolean }>('select private.run_due_job() as was_due');
      return rows[0]?.was_due ? 0 : LOOK_AGAIN_MS;
    },
  };
}
