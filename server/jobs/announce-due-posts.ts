import type { Database, Job } from '@signalfjord/backend';

const HOUR_MS = 60 * 60 * 1000;

/**
 * Notifies `content_changed` when a scheduled post becomes due, so that cached pages are dropped on time. Each process
 * runs this, because each has its own cache.
 */
export function duePostsJob(database: Database): Job {
  let lastCheck: string | null = null;
  return {
    name: 'announce due posts',
    // A saved post may be due before the post that was next so far.
    channels: ['content_changed'],
    async run() {
      const { rows } = await database.query<{ now: string; was_due: boolean; milliseconds: number | null }>(
        `select clock_timestamp()::text as now,
           exists (select from public.posts
             where status = 'published' and published_date > $1::timestamptz and published_date <= clock_timestamp()) as was_due,
           (select ceil(extract(epoch from min(published_date) - clock_timestamp()) * 1000)::float8 from public.posts
             where status = 'published' and published_date > clock_timestamp()) as milliseconds`,
        [lastCheck],
      );
      const [row] = rows;
      lastCheck = row?.now ?? lastCheck;
      if (row?.was_due) await database.query(`select pg_notify('content_changed', 'posts')`);
      return Math.max(1, row?.milliseconds ?? HOUR_MS);
    },
  };
}
