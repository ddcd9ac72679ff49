import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import type { RequestHandler } from '../../packages/backend/src/application.ts';
import { type Config, parseConfig } from '../../packages/backend/src/config.ts';
import type { Database } from '../../packages/backend/src/database/database.ts';
import { type RunningJobs, startJobs } from '../../packages/backend/src/jobs/jobs.ts';
import { mailJob } from '../../packages/backend/src/mail/deliver.ts';
import { enqueueMail } from '../../packages/backend/src/mail/mail-queue.ts';
import { createMailer } from '../../packages/backend/src/mail/mailer.ts';
import { SiteOrigin } from '../../packages/backend/src/site-origin.ts';
import { SITE_MAILS } from '../../server/mails/site-mails.ts';
import { type SmtpServer, startSmtpServer } from '../support/smtp-server.ts';
import { openEmptyDatabase } from '../support/test-database.ts';

const QUIET = pino({ level: 'silent' });
const PARTS = { log: QUIET };
const NO_UPLOADS = () => new Response(null, { status: 404 });

let database: Database;
let folder: string;
let delivery: RunningJobs | undefined;
let smtp: SmtpServer | undefined;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signalfjord-mail-'));
  database = await openEmptyDatabase();
  const queue = await readFile(join(import.meta.dirname, '../../supabase/schemas/mail/queue.sql'), 'utf8');
  await database.script(`
    create schema private; create table site_settings (setting_key text, setting_value text);
    set check_function_bodies = off; ${queue}
    -- In this database, no one has access to a client.
    create function private.readable_mail(text, jsonb) returns jsonb language sql
      as $$ select case when $2 ->> 'ClientId' is null then $2 end $$;`);
});
afterAll(async () => {
  await database.close();
  await rm(folder, { recursive: true, force: true });
});
afterEach(async () => {
  await delivery?.stop();
  await smtp?.close();
  delivery = smtp = undefined;
  await database.script('truncate private.mail_queue; truncate site_settings');
});

const createConfig = (variables: Record<string, string> = {}) => parseConfig({ DATA_DIR: folder, ...variables });

function startDelivery(
  config: Config,
  readUpload: RequestHandler,
  origin = new SiteOrigin(config),
): Promise<RunningJobs> {
  const delivery = mailJob(
    database,
    { ...PARTS, config, origin },
    {
      render: SITE_MAILS.createRenderer(database, readUpload),
      readSenderName: () => SITE_MAILS.readSenderName(database),
    },
  );
  return startJobs(database, PARTS.log, [delivery]);
}

async function queuedMails(): Promise<
  { recipient: string; attempts: number; last_error: string | null; due: boolean }[]
> {
  const { rows } = await database.query<{ recipient: string; attempts: number; last_error: string; due: boolean }>(
    'select recipient, attempts, last_error, next_attempt_at <= now() as due from private.mail_queue order by id',
  );
  return rows;
}

test('An email about a client that the recipient has lost access to is deleted without being sent', async () => {
  smtp = await startSmtpServer();
  const variables = { SiteURL: 'https://example.com', Email: 'ada@example.com' };
  await enqueueMail(database, 'ada@example.com', 'more_leads', {
    ...variables,
    ClientId: 'client',
    Client: 'Fjell AS',
  });
  await enqueueMail(database, 'eva@example.com', 'registration_approved', variables);
  delivery = await startDelivery(createConfig({ SMTP_URL: smtp.url, MAIL_FROM: 'hello@example.com' }), NO_UPLOADS);
  await vi.waitUntil(async () => (await queuedMails()).length === 0, { timeout: 30_000 });
  expect(smtp.received).toHaveLength(1);
  expect(smtp.received[0]).toContain('eva@example.com');
});

test('An email is sent through SMTP with both parts, the configured name and the sender in MAIL_FROM', async () => {
  smtp = await startSmtpServer();
  await database.query(`insert into site_settings values ('site_name', 'Fjord & Co')`);
  delivery = await startDelivery(
    createConfig({ SMTP_URL: smtp.url, MAIL_FROM: 'Hello <hello@example.com>' }),
    NO_UPLOADS,
  );
  await enqueueMail(database, 'ada@example.com', 'registration_approved', {
    SiteURL: 'https://example.com',
    Email: 'ada@example.com',
  });
  await expect.poll(() => smtp?.received).toHaveLength(1);
  const [mail = ''] = smtp.received;
  expect(mail).toContain('From: Hello <hello@example.com>');
  expect(mail).toContain('To: ada@example.com');
  expect(mail).toContain('Subject: Your registration is approved');
  expect(mail).toContain('Content-Type: text/plain');
  expect(mail).toContain('Content-Type: text/html');
  expect(mail).toContain('Fjord &amp; Co');
  expect(mail).toContain('https://example.com/team-dashboard');
  await expect.poll(queuedMails).toEqual([]);
});

test('Emails queued before the start are sent', async () => {
  await enqueueMail(database, 'early@example.com', 'reauthentication', { Email: 'early@example.com', Token: '123456' });
  const info = vi.spyOn(QUIET, 'info');
  delivery = await startDelivery(createConfig(), NO_UPLOADS);
  await expect.poll(queuedMails).toEqual([]);
  const [file = ''] = (await readdir(join(folder, 'outbox'))).filter((name) => name.includes('early@'));
  expect(info).toHaveBeenCalledWith(expect.stringContaining(file));
  expect((await stat(join(folder, 'outbox', file))).mode & 0o777).toBe(0o600);
  expect(await readFile(join(folder, 'outbox', file), 'utf8')).toContain('123456');
});

test('If the mail server is busy, the email is retried later and not lost', async () => {
  smtp = await startSmtpServer();
  smtp.recipientResponse = '450 busy';
  delivery = await startDelivery(createConfig({ SMTP_URL: smtp.url }), NO_UPLOADS);
  await enqueueMail(database, 'ada@example.com', 'registration_declined', { Email: 'ada@example.com' });
  await expect
    .poll(queuedMails)
    .toMatchObject([{ attempts: 1, due: false, last_error: expect.stringContaining('busy') }]);
  smtp.recipientResponse = '250 ok';
  await database.query(`update private.mail_queue set next_attempt_at = now()`);
  await database.query(`select pg_notify('mail_queued', '')`);
  await expect.poll(() => smtp?.received).toHaveLength(1);
});

test('If the response to an email is lost, the email is sent again with the same Message-ID, which is unique to the email', async () => {
  const first = await startSmtpServer();
  first.silentPrefix = '.';
  delivery = await startDelivery(createConfig({ SMTP_URL: first.url }), NO_UPLOADS);
  await enqueueMail(database, 'ada@example.com', 'registration_declined', { Email: 'ada@example.com' });
  await expect.poll(() => first.silentLineCount).toBe(1);
  await first.close();
  await expect.poll(queuedMails).toMatchObject([{ attempts: 1, last_error: expect.any(String) }]);
  await delivery.stop();

  smtp = await startSmtpServer();
  await database.query(`update private.mail_queue set next_attempt_at = now()`);
  delivery = await startDelivery(createConfig({ SMTP_URL: smtp.url }), NO_UPLOADS);
  await enqueueMail(database, 'ada@example.com', 'registration_declined', { Email: 'ada@example.com' });
  await expect.poll(queuedMails).toEqual([]);
  const [resentId, newId] = smtp.received.map(readMessageId);
  expect(resentId).toMatch(/^Message-ID: <[0-9a-f]{32}@localhost>$/);
  expect(resentId).toBe(readMessageId(first.received[0] ?? ''));
  expect(newId).not.toBe(resentId);
});

const readMessageId = (mail: string) => /^Message-ID: \S+/m.exec(mail)?.[0];

test('An email with a permanently rejected recipient fails without retries and does not delay others', async () => {
  smtp = await startSmtpServer();
  smtp.recipientResponse = '550 no such user';
  await enqueueMail(database, 'nobody@example.com', 'registration_approved', { Email: 'nobody@example.com' });
  delivery = await startDelivery(createConfig({ SMTP_URL: smtp.url }), NO_UPLOADS);
  await expect.poll(failedMails).toEqual([{ recipient: 'nobody@example.com', reason: expect.stringContaining('550') }]);
  expect(smtp.received).toEqual([]);
  smtp.recipientResponse = '250 ok';
  await enqueueMail(database, 'ada@example.com', 'registration_approved', { Email: 'ada@example.com' });
  await expect.poll(() => smtp?.received).toHaveLength(1);
  expect(await failedMails()).toHaveLength(1);
});

async function failedMails() {
  const { rows } = await database.query(
    'select recipient, last_error as reason from private.mail_queue where failed_at is not null',
  );
  return rows;
}

test.each([
  ['signInResponse', '535 5.7.8 wrong password', '235 ok'],
  ['senderResponse', '530 5.7.0 sign in first', '250 ok'],
] as const)(
  'If the mail server rejects the sender (%s), emails are retried for days',
  async (setting, response, success) => {
    smtp = await startSmtpServer();
    smtp[setting] = response;
    await enqueueMail(database, 'ada@example.com', 'registration_approved', { Email: 'ada@example.com' });
    await database.query('update private.mail_queue set attempts = 100');
    const url = smtp.url.replace('//', '//user:password@');
    delivery = await startDelivery(createConfig({ SMTP_URL: url }), NO_UPLOADS);
    await expect
      .poll(queuedMails)
      .toMatchObject([{ attempts: 101, due: false, last_error: expect.stringContaining(response) }]);
    smtp[setting] = success;
    await database.query('update private.mail_queue set next_attempt_at = now()');
    await database.query(`select pg_notify('mail_queued', '')`);
    await expect.poll(queuedMails).toEqual([]);
    expect(smtp.received).toHaveLength(1);
  },
);

test.each(['a@b.no\r\nBcc: c@d.no', 'a@b.no\nX: y', 'a@b.no\0'])('The recipient %j is rejected', async (to) => {
  const mailer = createMailer(createConfig(), QUIET, async () => 'Signalfjord');
  const before = await readdir(join(folder, 'outbox')).catch(() => []);
  await expect(mailer.send({ key: 'x', to, subject: 'x', html: 'x', text: 'x' })).rejects.toThrow('line breaks');
  await expect(mailer.send({ key: 'x', to: 'a@b.no', subject: `x${to}`, html: 'x', text: 'x' })).rejects.toThrow(
    'line breaks',
  );
  expect(await readdir(join(folder, 'outbox')).catch(() => [])).toEqual(before);
  await expect(enqueueMail(database, to, 'recovery', { Email: to })).rejects.toThrow();
});

test('An email has the name, the colour and the logo of the site, and loads no remote resources', async () => {
  smtp = await startSmtpServer();
  const address = '/storage/v1/object/public/content-media/brand/logo.svg';
  const settings = {
    site_name: 'Nordlys',
    site_tagline: '{site}, quietly',
    brand_accent: '#c8102e',
    brand_logo: JSON.stringify({ light: { address, width: 20, height: 10 }, dark: null, showsName: true }),
  };
  for (const setting of Object.entries(settings)) {
    await database.query('insert into site_settings values ($1, $2)', setting);
  }
  const requestedPaths: string[] = [];
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 10"><path fill="#c8102e" d="M0 0h20v10H0z"/></svg>';
  delivery = await startDelivery(createConfig({ SMTP_URL: smtp.url }), (request) => {
    requestedPaths.push(new URL(request.url).pathname);
    return new Response(svg);
  });
  for (const name of ['ada', 'bob']) {
    await enqueueMail(database, `${name}@example.com`, 'registration_approved', { Email: `${name}@example.com` });
  }
  await expect.poll(queuedMails).toEqual([]);
  const [mail = ''] = smtp.received.map((message) => message.replaceAll('=\r\n', '').replaceAll('=3D', '='));
  expect(mail).toContain('<img src="cid:logo@mail" width="72" height="36" alt="Mark of Nordlys"');
  expect(mail).toContain('Content-Id: <logo@mail>'.replace('Id', 'ID'));
  expect(mail).toContain('#c8102e');
  expect(mail).toContain('Nordlys, quietly');
  expect(mail).not.toMatch(/Signalfjord|#0a6247|∿/);
  // The logo is rendered once for all emails.
  expect(requestedPaths).toEqual([address]);
});

test('If the logo is missing, the built-in mark is used', async () => {
  smtp = await startSmtpServer();
  await database.query(`insert into site_settings values ('brand_logo', '{"light": {"address": "/storage/v1/x"}}')`);
  delivery = await startDelivery(createConfig({ SMTP_URL: smtp.url }), NO_UPLOADS);
  await enqueueMail(database, 'ada@example.com', 'registration_approved', { Email: 'ada@example.com' });
  await expect.poll(queuedMails).toEqual([]);
  expect(smtp.received).toHaveLength(1);
  const [mail = ''] = smtp.received.map((message) => message.replaceAll('=\r\n', '').replaceAll('=3D', '='));
  expect(mail).toContain('<img src="cid:logo@mail" width="32" height="32" alt="Mark of Signalfjord"');
  expect(mail).toContain('Content-ID: <logo@mail>');
});

test('Links in an email of a background job start with SITE_URL, or the URL of this process', async () => {
  smtp = await startSmtpServer();
  const settings = createConfig({ SMTP_URL: smtp.url, HOST: '0.0.0.0', PORT: '0' });
  const origin = new SiteOrigin(settings);
  origin.setPort(4711);
  const send = () => enqueueMail(database, 'ada@example.com', 'registration_approved', { Email: 'ada@example.com' });
  delivery = await startDelivery(settings, NO_UPLOADS, origin);
  await send();
  await expect.poll(() => smtp?.received).toHaveLength(1);
  await delivery.stop();
  delivery = await startDelivery(createConfig({ SMTP_URL: smtp.url, SITE_URL: 'https://nes.example' }), NO_UPLOADS);
  await send();
  await expect.poll(() => smtp?.received).toHaveLength(2);
  expect(smtp.received[0]).toContain('http://localhost:4711/team-dashboard');
  expect(smtp.received[1]).toContain('https://nes.example/team-dashboard');
});

test('Replies go to the saved contact address unless an email sets another Reply-To address', async () => {
  smtp = await startSmtpServer();
  delivery = await startDelivery(createConfig({ SMTP_URL: smtp.url }), NO_UPLOADS);
  const send = (variables = {}) =>
    enqueueMail(database, 'ada@example.com', 'newsletter_confirm', { Email: 'ada@example.com', ...variables });
  await send();
  await expect.poll(() => smtp?.received).toHaveLength(1);
  await database.query(`insert into site_settings values ('contact_email', ' post@nes.example ')`);
  await send();
  await send({ ReplyTo: 'kari@example.com' });
  await expect.poll(() => smtp?.received).toHaveLength(3);
  const replyToAddresses = smtp.received.map((mail) => /^Reply-To: (.*)$/m.exec(mail)?.[1]?.trim());
  expect(replyToAddresses).toEqual([undefined, 'post@nes.example', 'kari@example.com']);
});
