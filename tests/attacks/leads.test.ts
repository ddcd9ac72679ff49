/** Floods of leads and newsletter sign-ups, with rate limits enabled. Each attack has an allowed counterpart. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PUBLISHABLE_KEY } from '../../packages/backend/src/http/keys.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';

let site: TestBackend;
beforeAll(async () => {
  site = await startTestBackend({ RATE_LIMITS: 'on' });
  for (const setting_key of ['keep_contact_messages', 'newsletter_signup', 'leads_from_chat']) {
    await site.service.from('site_settings').upsert({ setting_key, setting_value: 'on' }).throwOnError();
  }
  // No recipient, so that no email is written to the console.
  await site.service.from('site_settings').upsert({ setting_key: 'contact_email', setting_value: '' }).throwOnError();
});
afterAll(() => site.close());

/** Sends a visitor's request as if through a proxy on this machine. */
async function call(from: string, name: string, parameters: object): Promise<{ status: number; message?: string }> {
  const response = await fetch(`${site.url}/rest/v1/rpc/${name}`, {
    method: 'POST',
    headers: {
      apikey: PUBLISHABLE_KEY,
      'content-type': 'application/json',
      'x-forwarded-for': from,
      'cf-connecting-ip': `198.51.100.${Math.trunc(Math.random() * 255)}`,
    },
    body: JSON.stringify(parameters),
  });
  const text = await response.text();
  return { status: response.status, ...(text ? (JSON.parse(text) as object) : {}) };
}

const message = (email: string) => ({ _source: 'contact', _email: email, _name: 'Kari', _message: 'Hello' });

async function repeat(count: number, send: (index: number) => Promise<{ status: number }>): Promise<number[]> {
  const statuses: number[] = [];
  for (let n = 0; n < count; n++) statuses.push((await send(n)).status);
  return statuses;
}

test('An IP address can send five messages an hour, with any headers', async () => {
  const flood = await repeat(6, (n) => call('192.0.2.1', 'submit_lead', message(`a${n}@example.com`)));
  expect(flood).toEqual([204, 204, 204, 204, 204, 429]);
  expect((await call('192.0.2.1', 'submit_lead', message('b@example.com'))).message).toBe(
    'You have already sent several messages. Try again in an hour, or send us an email.',
  );
  expect((await call('192.0.2.2', 'submit_lead', message('c@example.com'))).status).toBe(204);
  const { data } = await site.service.from('leads').select('email');
  expect(data).toHaveLength(6);
});

test('A message with a filled honeypot counts towards the limit and is not stored', async () => {
  const botMessage = { ...message('robot@example.com'), _website: 'x' };
  expect(await repeat(6, () => call('192.0.2.3', 'submit_lead', botMessage))).toEqual([204, 204, 204, 204, 204, 429]);
  expect((await site.service.from('leads').select().eq('email', 'robot@example.com')).data).toEqual([]);
});

test('An IP address can request five newsletter subscriptions an hour, and a mailbox gets at most three emails a day', async () => {
  const subscribe = (from: string, email: string) => call(from, 'subscribe_to_newsletter', { _email: email });
  expect(await repeat(6, (n) => subscribe('192.0.2.5', `n${n}@example.com`))).toEqual([204, 204, 204, 204, 204, 429]);
  expect(await repeat(5, (n) => subscribe(`192.0.2.${10 + n}`, 'Victim@example.com'))).toEqual(Array(5).fill(204));
  const { rows } = await site.backend.database.query<{ count: number }>(
    `select count::int from private.rate_limit_counters
     where subject = private.counter_key('newsletter to of victim@example.com')`,
  );
  expect(rows).toEqual([{ count: 3 }]);
});

test('Guesses of confirmation links are limited', async () => {
  const guesses = await repeat(61, () =>
    call('192.0.2.6', 'confirm_newsletter', { _token: crypto.randomUUID().replaceAll('-', '').repeat(2) }),
  );
  expect(guesses.slice(0, 60).every((status) => status === 200)).toBe(true);
  expect(guesses.at(-1)).toBe(429);
  expect((await call('192.0.2.7', 'confirm_newsletter', { _token: 'x' })).status).toBe(200);
});
