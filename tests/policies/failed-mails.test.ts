/** Access to failed mails. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { nextMail } from '../../packages/backend/tests/support/received-mails.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';

const OUTSIDERS = ['stranger', 'pending', 'client', 'team'] as const;

let site: TestBackend;
beforeAll(async () => {
  site = await startTestBackend();
});
afterAll(() => site.close());

let id: number;

beforeEach(async () => {
  await site.backend.database.query('delete from private.mail_queue');
  const { rows } = await site.backend.database.query<{ id: number }>(
    `insert into private.mail_queue (recipient, template, variables, attempts, last_error, failed_at, next_attempt_at)
     values ('kari@example.com', 'newsletter_welcome', '{"Token": "secret"}', 1, '550 unknown user', now(), 'infinity') returning id`,
  );
  id = rows[0]?.id ?? 0;
  await site.backend.database.query(
    `insert into private.mail_queue (recipient, template, next_attempt_at)
     values ('queued@example.com', 'newsletter_welcome', now() + interval '1 day')`,
  );
});

/** Returns the queued mails with the number of attempts and a flag for failed ones. */
async function readMails() {
  const { rows } = await site.backend.database.query(
    'select recipient, attempts, failed_at is not null as failed from private.mail_queue order by id',
  );
  return rows;
}

const QUEUED = { recipient: 'queued@example.com', attempts: 0, failed: false };

test('Only admins can list, resend or dismiss failed mails', async () => {
  const clients = [site.visitor];
  for (const role of OUTSIDERS) clients.push((await site.signedIn(role)).client);
  for (const client of clients) {
    expect(await client.rpc('list_failed_mails')).toMatchObject({ error: { code: '42501' } });
    expect(await client.rpc('send_failed_mail', { _id: id })).toMatchObject({ error: { code: '42501' } });
    expect(await client.rpc('dismiss_failed_mail', { _id: id })).toMatchObject({ error: { code: '42501' } });
  }
  expect(await readMails()).toEqual([{ recipient: 'kari@example.com', attempts: 1, failed: true }, QUEUED]);
});

test('Admins can see the recipient and the reason, but no link or code', async () => {
  const { client } = await site.signedIn('admin');
  const { data } = await client.rpc('list_failed_mails').throwOnError();
  expect(data).toEqual([
    {
      id,
      recipient: 'kari@example.com',
      template: 'newsletter_welcome',
      reason: '550 unknown user',
      failed_at: expect.any(String),
    },
  ]);
});

test('A resent mail is delivered, and a scheduled mail cannot be resent or dismissed', async () => {
  const { client } = await site.signedIn('admin');
  const { rows } = await site.backend.database.query<{ id: number }>(
    'select id from private.mail_queue where failed_at is null',
  );
  for (const mailId of [id, rows[0]?.id]) await client.rpc('send_failed_mail', { _id: mailId }).throwOnError();
  await expect.poll(readMails).toEqual([QUEUED]);
  await nextMail(site.dataFolder, 'kari@example.com');
  await client.rpc('dismiss_failed_mail', { _id: rows[0]?.id }).throwOnError();
  expect(await readMails()).toEqual([QUEUED]);
});

test('A dismissed mail is deleted', async () => {
  const { client } = await site.signedIn('admin');
  await client.rpc('dismiss_failed_mail', { _id: id }).throwOnError();
  expect(await readMails()).toEqual([QUEUED]);
});
