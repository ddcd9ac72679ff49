import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { openTestDatabase } from '../../tests/support/test-database.ts';
import { parseConfig } from '../config.ts';
import { startJobs } from '../jobs/jobs.ts';
import { SiteOrigin } from '../site-origin.ts';
import { mailCleanUpJob } from './clean-up.ts';
import { mailJob } from './deliver.ts';
import { enqueueMail } from './mail-queue.ts';
import { writeToOutbox } from './outbox.ts';

const daysAgo = (days: number) => new Date(Date.now() - days * 24 * 60 * 60 * 1000);

test('Messages are deleted after 30 days, whether or not they were sent, and other files are kept', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'signalfjord-outbox-'));
  const database = await openTestDatabase();
  const outbox = join(folder, 'outbox');
  await mkdir(outbox);
  const oldFiles = [
    await writeToOutbox(folder, 'old@example.com', 'eml', 'old'),
    await writeToOutbox(folder, '4790000000', 'sms', 'old'),
    join(outbox, 'half.eml.part'),
    join(outbox, 'notes.txt'),
  ];
  for (const file of oldFiles) {
    await writeFile(file, '');
    await utimes(file, daysAgo(31), daysAgo(31));
  }
  const recentMail = await writeToOutbox(folder, 'young@example.com', 'eml', 'young');
  await utimes(recentMail, daysAgo(29), daysAgo(29));

  const queue = (recipient: string) => enqueueMail(database, recipient, 'newsletter_welcome', { Email: recipient });
  await queue('forgotten@example.com');
  await database.query('update private.mail_queue set next_attempt_at = $1', [daysAgo(31)]);
  await queue('later@example.com');
  await queue('given-up@example.com');
  const failLongAgo = `update private.mail_queue set failed_at = $1, next_attempt_at = 'infinity' where recipient like 'given-up%'`;
  await database.query(failLongAgo, [daysAgo(31)]);
  await queue('given-up-lately@example.com');
  const failRecently = `update private.mail_queue set failed_at = $1, next_attempt_at = 'infinity' where recipient like '%lately%'`;
  await database.query(failRecently, [daysAgo(29)]);
  const postpone = `update private.mail_queue set created_at = $1, next_attempt_at = $2 where recipient = 'later@example.com'`;
  await database.query(postpone, [daysAgo(40), daysAgo(-1)]);

  const config = parseConfig({ DATA_DIR: folder });
  const log = pino({ level: 'silent' });
  const texts = {
    render: () => Promise.reject(new Error('No mail is due')),
    readSenderName: async () => 'Signalfjord',
  };
  const sendJob = mailJob(database, { config, log, origin: new SiteOrigin(config) }, texts);
  // Old mails are not sent even before the clean-up.
  expect(await sendJob.run(AbortSignal.timeout(60_000))).toBeGreaterThan(0);
  const jobs = await startJobs(database, log, [mailCleanUpJob(database, config), sendJob]);
  await jobs.stop();
  expect((await readdir(outbox)).sort()).toEqual([recentMail.slice(outbox.length + 1), 'notes.txt'].sort());
  // The mail to later@example.com was queued long ago, but is not due yet.
  const { rows } = await database.query('select recipient from private.mail_queue order by id');
  expect(rows).toEqual([{ recipient: 'later@example.com' }, { recipient: 'given-up-lately@example.com' }]);

  await database.close();
  await rm(folder, { recursive: true });
});
