/** Counts queued work for the metrics. */
import type { Database } from './database/database.ts';

export interface QueueMetrics {
  /** Number of due mails, including those waiting for a retry. */
  mails: number;
  /** Seconds since the oldest mail became due; 0 if no mail is due. */
  oldestMailSeconds: number;
  /** Failed mails of the last 30 days. */
  failedMails: number;
  /** Deleted files whose bytes still exist. */
  deletedFiles: number;
}

/** Retries postpone a mail by 1, 2, 4 ... 30 minutes (mail/deliver.ts). The query subtracts these delays. */
const SQL = `
  select mails.count as mails, mails.oldest as "oldestMailSeconds",
    (select count(*)::integer from private.mail_queue where failed_at is not null) as "failedMails",
    (select count(*)::integer from backend.deleted_objects) as "deletedFiles"
  from (
    select count(*)::integer as count, greatest(0, coalesce(extract(epoch from now() - min(due)), 0))::integer as oldest
    from (
      select attempts, next_attempt_at
        - make_interval(mins => (2 ^ least(attempts, 5))::integer - 1 + 30 * greatest(attempts - 5, 0)) as due
      from private.mail_queue where failed_at is null
    ) as mail where attempts > 0 or due <= now()
  ) as mails`;

export async function readQueueMetrics(database: Database): Promise<QueueMetrics> {
  const [metrics] = (await database.query<QueueMetrics>(SQL)).rows;
  if (!metrics) throw new Error('The queue counts could not be read');
  return metrics;
}
