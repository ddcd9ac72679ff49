/**
 * The newsletter. Tests subscribing, confirming by email and one-click unsubscribing. Responses do not reveal whether
 * an address is subscribed.
 */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readNewestMail } from '../support/outbox.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';

let site: TestBackend;
beforeAll(async () => {
  site = await startTestBackend({ SITE_URL: 'https://fjord.example' });
  await site.service
    .from('site_settings')
    .upsert({ setting_key: 'newsletter_signup', setting_value: 'on' })
    .throwOnError();
});
afterAll(() => site.close());
const subscribe = (_email: string, _website = '') => site.visitor.rpc('subscribe_to_newsletter', { _email, _website });
const confirm = async (_token: string) =>
  (await site.visitor.rpc('confirm_newsletter', { _token }).throwOnError()).data;

async function readConfirmedAt(email: string): Promise<string | null | undefined> {
  const { data } = await site.service.from('newsletter_subscribers').select('confirmed_at').ilike('email', email);
  return data?.[0]?.confirmed_at;
}

/** Returns the unfolded headers of an email in the outbox. */
async function readHeaders(email: string, subject: RegExp): Promise<string> {
  const folder = join(site.dataFolder, 'outbox');
  const files = (await readdir(folder)).filter((file) => file.includes(email));
  const mails = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
  const head = mails.map((mail) => mail.split('\r\n\r\n', 1)[0] ?? '').find((text) => subject.test(text)) ?? '';
  return head.replace(/\r\n[ \t]+/g, ' ');
}

async function readMailedToken(email: string): Promise<string> {
  const mail = await readNewestMail(site.dataFolder, email, /Confirm your newsletter/);
  return /newsletter\/confirm\?token=([0-9a-f]{64})/.exec(mail)?.[1] ?? '';
}

/** Creates a confirmed subscription. @returns the token of its unsubscribe link */
async function createSubscription(email: string): Promise<string> {
  await subscribe(email).throwOnError();
  expect(await confirm(await readMailedToken(email))).toBe(true);
  const mail = await readNewestMail(site.dataFolder, email, /You are subscribed to our newsletter/);
  return /newsletter\/unsubscribe\?token=([0-9a-f.-]+)/.exec(mail)?.[1] ?? '';
}

function unsubscribeUrl(token: string): string {
  return `${site.url}/functions/v1/newsletter-unsubscribe?token=${encodeURIComponent(token)}`;
}

test('A visitor subscribes, confirms once through the emailed link, and unsubscribes with one click', async () => {
  expect((await subscribe(' Ada@example.com ')).error).toBeNull();
  expect(await readConfirmedAt('ada@example.com')).toBeNull();
  const token = await readMailedToken('Ada@example.com');
  const { rows } = await site.backend.database.query<{ row: string }>(
    'select known::text as row from public.newsletter_subscribers as known',
  );
  expect(JSON.stringify(rows)).not.toContain(token);
  expect(JSON.stringify(rows)).toContain(createHash('sha256').update(token).digest('hex'));
  const results = await Promise.all([confirm(token), confirm(token)]);
  expect(results.sort()).toEqual([false, true]);
  expect(await readConfirmedAt('ada@example.com')).not.toBeNull();

  await readNewestMail(site.dataFolder, 'Ada@example.com', /You are subscribed to our newsletter/);
  const head = await readHeaders('Ada@example.com', /You are subscribed to our newsletter/);
  expect(head).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click');
  const url = /List-Unsubscribe: <(https:\/\/fjord\.example\/functions\/v1\/[^>]+)>/.exec(head)?.[1];
  const unsubscribe = new URL(url ?? '');
  const response = await fetch(`${site.url}${unsubscribe.pathname}${unsubscribe.search}`, {
    method: 'POST',
    body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }),
  });
  expect(response.status).toBe(200);
  expect(await readConfirmedAt('ada@example.com')).toBeUndefined();
});

test('Opening the List-Unsubscribe link only shows the confirmation page and unsubscribes no one', async () => {
  const token = await createSubscription('bob@example.com');
  const response = await fetch(unsubscribeUrl(token), { redirect: 'manual' });
  expect(response.status).toBe(303);
  expect(response.headers.get('location')).toBe(`https://fjord.example/newsletter/unsubscribe?token=${token}`);
  expect(await readConfirmedAt('bob@example.com')).not.toBeNull();
  await site.visitor.rpc('unsubscribe_from_newsletter', { _token: token }).throwOnError();
  expect(await readConfirmedAt('bob@example.com')).toBeUndefined();
});

test('Guessed, modified and foreign tokens do nothing and get the same response', async () => {
  const [token, otherToken] = [
    await createSubscription('cat@example.com'),
    await createSubscription('dog@example.com'),
  ];
  const [id, digest] = token.split('.');
  const guesses = [
    '',
    'x',
    '\0',
    `${id}`,
    `${id}.`,
    `${id}.${'0'.repeat(64)}`,
    `${id}.${otherToken.split('.')[1]}`,
    `${id}.${createHash('sha256').update(String(id)).digest('hex')}`,
    `${token}0`,
    `${crypto.randomUUID()}.${digest}`,
  ];
  for (const guess of guesses) {
    const response = await fetch(unsubscribeUrl(guess), { method: 'POST' });
    expect({ guess, status: response.status, text: await response.text() }).toEqual({
      guess,
      status: 200,
      text: 'You have been unsubscribed from our newsletter.',
    });
    if (!guess.includes('\0')) await site.visitor.rpc('unsubscribe_from_newsletter', { _token: guess }).throwOnError();
  }
  expect(await readConfirmedAt('cat@example.com')).not.toBeNull();
  expect(await readConfirmedAt('dog@example.com')).not.toBeNull();
  expect((await fetch(unsubscribeUrl(token), { method: 'DELETE' })).status).toBe(405);
  expect((await fetch(unsubscribeUrl(token), { method: 'POST' })).status).toBe(200);
  expect(await readConfirmedAt('cat@example.com')).toBeUndefined();
});

test('Neither the response nor the amount of work reveals whether an address is subscribed', async () => {
  await createSubscription('eve@example.com');
  const collectRecipients = () =>
    site.backend.database.transaction(async (tx) => {
      const recipients: unknown[] = [];
      for (const email of ['eve@example.com', 'fay@example.com']) {
        await tx.query('select public.subscribe_to_newsletter($1)', [email]);
        const { rows } = await tx.query<{ recipient: string }>(
          `delete from private.mail_queue where template = 'newsletter_confirm' returning recipient`,
        );
        recipients.push(rows.map(({ recipient }) => recipient));
      }
      return recipients;
    });
  // An email to the invalid address is rendered and discarded.
  expect(await collectRecipients()).toEqual([['nobody@signalfjord.invalid'], ['fay@example.com']]);
  const responses = await Promise.all(['eve@example.com', 'gus@example.com'].map((email) => subscribe(email)));
  expect(responses[0]).toEqual({ ...responses[1] });
});

test('A confirmation link expires after a week, or when a newer one is requested', async () => {
  await subscribe('ina@example.com').throwOnError();
  const first = await readMailedToken('ina@example.com');
  await subscribe('ina@example.com').throwOnError();
  expect(await confirm(first)).toBe(false);
  await expect.poll(async () => (await readMailedToken('ina@example.com')) !== first).toBe(true);
  const second = await readMailedToken('ina@example.com');
  await site.backend.database.query(
    `update public.newsletter_subscribers set requested_at = now() - interval '8 days' where email = 'ina@example.com'`,
  );
  expect(await confirm(second)).toBe(false);
  expect(await readConfirmedAt('ina@example.com')).toBeNull();
});

test('A request with the honeypot field or an invalid address creates no subscription', async () => {
  expect((await subscribe('kim@example.com', 'https://spam.example')).error).toBeNull();
  for (const email of ['', 'kim', 'kim@example', 'kim@example.com\r\nBcc: x@example.com', 'a@b.no,c@d.no']) {
    expect((await subscribe(email)).error?.message).toBe('Invalid email address');
  }
  expect(await readConfirmedAt('kim@example.com')).toBeUndefined();
});

test('An admin exports the confirmed subscribers, with an unsubscribe link for each', async () => {
  await site.service.from('newsletter_subscribers').delete().neq('email', '').throwOnError();
  const token = await createSubscription('leo@example.com');
  await subscribe('mia@example.com').throwOnError();
  const { client } = await site.signedIn('admin');
  const { data } = await client.rpc('export_newsletter').throwOnError();
  expect(data).toMatchObject([{ email: 'leo@example.com', unsubscribe_token: token }]);
  expect((await client.from('newsletter_subscribers').delete().eq('email', 'leo@example.com')).error).toBeNull();
  expect(await readConfirmedAt('leo@example.com')).toBeUndefined();
});
