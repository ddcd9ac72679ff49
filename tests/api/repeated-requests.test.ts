/** Forms that a browser submits again after a lost response, with the same idempotency-key header. */
import { PostgrestClient } from '@supabase/postgrest-js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PUBLISHABLE_KEY } from '../../packages/backend/src/http/keys.ts';
import { findFreeTimes, saveAvailability } from '../support/booking.ts';
import { keepMailsQueued, startTestBackend, type TestBackend } from '../support/test-backend.ts';

let site: TestBackend;
beforeAll(async () => {
  site = await startTestBackend();
  await keepMailsQueued(site);
  const rows = ['keep_contact_messages', 'newsletter_signup'].map((setting_key) => ({
    setting_key,
    setting_value: 'on',
  }));
  await site.service.from('site_settings').upsert(rows).throwOnError();
  await saveAvailability(site.service);
});
afterAll(() => site.close());

function visitor(key?: string) {
  const headers = { apikey: PUBLISHABLE_KEY, ...(key !== undefined && { 'idempotency-key': key }) };
  return new PostgrestClient(`${site.url}/rest/v1`, { headers });
}

async function countLeads(email: string): Promise<number> {
  return (await site.service.from('leads').select('id').eq('email', email).throwOnError()).data.length;
}

test('A message that is resubmitted with its key creates one lead, and without a valid key it creates two', async () => {
  const cases: [email: string, keys: (string | undefined)[], leads: number][] = [
    ['same@example.com', ['a'.repeat(64), 'a'.repeat(64)], 1],
    ['two@example.com', ['b'.repeat(64), 'c'.repeat(64)], 2],
    ['none@example.com', [undefined, undefined], 2],
    ['short@example.com', ['1', '1'], 2],
  ];
  for (const [_email, keys, leads] of cases) {
    const message = { _source: 'contact', _name: 'Kari', _email, _message: 'Hello' };
    await Promise.all(keys.map((key) => visitor(key).rpc('submit_lead', message).throwOnError()));
    expect(await countLeads(_email), _email).toBe(leads);
  }
});

test('A rejected message can be resubmitted with the same key', async () => {
  const key = 'd'.repeat(64);
  const message = { _source: 'contact', _name: 'Kari', _message: 'Hello' };
  expect((await visitor(key).rpc('submit_lead', { ...message, _email: 'wrong' })).error).not.toBeNull();
  await visitor(key)
    .rpc('submit_lead', { ...message, _email: 'right@example.com' })
    .throwOnError();
  expect(await countLeads('right@example.com')).toBe(1);
});

test('A booking resubmitted with its key returns the same booking until it is cancelled', async () => {
  const [_starts_at, laterTime] = await findFreeTimes(site.visitor, 2);
  const call = { _starts_at, _name: 'Kari', _email: 'call@example.com' };
  const book = async (key: string, parameters: object = call) => (await visitor(key).rpc('book', parameters)).data;
  const first = await book('e'.repeat(64));
  expect(first).toMatchObject({ token: expect.stringMatching(/^[0-9a-f]{64}$/) });
  expect(await book('e'.repeat(64))).toEqual(first);
  expect((await visitor('f'.repeat(64)).rpc('book', call)).error?.code).toBe('PT409');
  expect(await book('e'.repeat(64), { ...call, _starts_at: laterTime })).not.toMatchObject({ token: first.token });
  await visitor().rpc('cancel_booking', { _token: first.token }).throwOnError();
  const rebooked = await book('e'.repeat(64));
  expect(rebooked.token).not.toBe(first.token);
  expect((await site.service.from('bookings').select('id').eq('email', 'call@example.com')).data).toHaveLength(3);
});

test('A resubmitted subscription sends one email', async () => {
  const key = '9'.repeat(64);
  for (let attempt = 0; attempt < 2; attempt += 1) {
    await visitor(key).rpc('subscribe_to_newsletter', { _email: 'news@example.com' }).throwOnError();
  }
  const mails = `select from private.mail_queue where recipient = 'news@example.com'`;
  expect((await site.backend.database.query(mails)).rows).toHaveLength(1);
});
