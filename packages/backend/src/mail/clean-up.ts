/** Deletes old messages, because they contain addresses, sign-in links and codes. */
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import type { Database } from '../database/database.ts';
import { deleteRows } from '../database/delete-rows.ts';
import { type Job, periodicJob } from '../jobs/jobs.ts';
import { outboxFolder } from './outbox.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** Older mails are not sent, because their sign-in links have expired and their reminders are too late. */
export const RETENTION_DAYS = 30;

/** Deletes outbox files written before `before`, and mails that were due or failed before it. */
export async function cleanUpMails(database: Database, config: Config, before: Date): Promise<void> {
  await deleteRows(database, { from: 'private.mail_queue', where: 'next_attempt_at < $1 or failed_at < $1' }, [before]);
  const folder = outboxFolder(config.DATA_DIR);
  for (const name of await readdir(folder).catch(() => [])) {
    const file = join(folder, name);
    // Delete only files of writeToOutbox(), because the folder may contain other files.
    if (!/\.(eml|sms)(\.part)?$/.test(name)) continue;
    const stats = await stat(file).catch(() => null);
    if (stats && stats.mtime < before) await rm(file, { force: true });
  }
}

export function mailCleanUpJob(database: Database, config: Config): Job {
  const work = () => cleanUpMails(database, config, new Date(Date.now() - RETENTION_DAYS * DAY_MS));
  return periodicJob(database, { name: 'delete old mails', hours: 24, work });
}
