/** The work of the site that no request asks for. */
import type { Job, JobParts } from '@signalfjord/backend';
import { upstreamOf } from '../functions/site-functions.ts';
import { announceDuePosts } from './announce-due-posts.ts';
import { startWebhookDelivery } from './deliver-webhooks.ts';
import { fillSummariesOfDrafts } from './fill-summaries.ts';
import { makeDueReports } from './make-due-reports.ts';
import { publishDueReleases } from './publish-due-releases.ts';
import { readCalendarsRegularly } from './read-calendars.ts';
import { startRetention } from './retention.ts';

export async function startSiteJobs({ config, database, log, origin }: JobParts): Promise<Job> {
  const model = upstreamOf(config);
  const jobs = await Promise.all([
    announceDuePosts(database, log),
    publishDueReleases(database, log),
    makeDueReports(database, log),
    startWebhookDelivery(database, origin, log),
    readCalendarsRegularly(database, log),
    startRetention(database, log),
    ...(model ? [fillSummariesOfDrafts(database, model, log)] : []),
  ]);
  return {
    async stop() {
      await Promise.all(jobs.map((job) => job.stop()));
    },
  };
}
