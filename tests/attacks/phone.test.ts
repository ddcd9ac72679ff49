/** Attacks that cause text messages at the owner's cost, or guess the codes in them. Rate limits are enabled. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { messagesTo, nextCode } from '../../packages/backend/tests/support/received-messages.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';

const PASSWORD = 'Fjord-2026-signal';

let site: TestBackend;
beforeAll(async () => {
  site = await startTestBackend({ RATE_LIMITS: 'on', AUTH_PHONE: 'on' });
});
afterAll(() => site.close());

let lastPhone = 4791000000;
const newPhone = () => String(lastPhone++);
let lastNetwork = 0;
const newAddress = () => `198.51.100.${lastNetwork++}`;

async function post(path: string, body: object, from: string, backend = site) {
  const response = await fetch(`${backend.url}/auth/v1${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': from },
    body: JSON.stringify(body),
  });
  return { status: response.status, code: response.headers.get('x-sb-error-code') };
}

const TOO_MANY = { status: 429, code: 'over_sms_send_rate_limit' };
const OK = { status: 200, code: null };

test('A number gets three messages from one network, through any endpoint', async () => {
  const [phone, from] = [newPhone(), newAddress()];
  expect(await post('/otp', { phone }, from)).toEqual(OK);
  expect(await post('/signup', { phone: `+${phone}`, password: PASSWORD }, from)).toEqual(OK);
  expect(await post('/resend', { phone: `${phone.slice(0, 2)} ${phone.slice(2)}`, type: 'sms' }, from)).toEqual(OK);
  expect(await post('/otp', { phone, create_user: false }, from)).toEqual(TOO_MANY);
  expect(await post('/otp', { phone: newPhone() }, from)).toEqual(OK);
  await nextCode(site.dataFolder, phone, 3);
});

test('All networks together can send six messages to a number, and networks where its owner has signed in can send more', async () => {
  const [phone, home] = [newPhone(), newAddress()];
  await post('/otp', { phone }, home);
  const token = await nextCode(site.dataFolder, phone);
  expect(await post('/verify', { phone, token, type: 'sms' }, home)).toEqual(OK);
  for (let index = 0; index < 5; index += 1) expect(await post('/otp', { phone }, newAddress())).toEqual(OK);
  expect(await post('/otp', { phone }, newAddress())).toEqual(TOO_MANY);
  expect(await post('/otp', { phone }, home)).toEqual(OK);
});

test('An IP address can request ten messages an hour, to any numbers', async () => {
  const from = newAddress();
  for (let index = 0; index < 10; index += 1) expect(await post('/otp', { phone: newPhone() }, from)).toEqual(OK);
  expect(await post('/otp', { phone: newPhone() }, from)).toEqual(TOO_MANY);
  expect(await post('/otp', { phone: newPhone() }, newAddress())).toEqual(OK);
});

test('The total number of messages per hour is limited, from any number of networks', async () => {
  const limitedSite = await startTestBackend({ RATE_LIMITS: 'on', AUTH_PHONE: 'on', SMS_PER_HOUR: '5' });
  const phones = Array.from({ length: 7 }, newPhone);
  const responses = [];
  for (const phone of phones) responses.push(await post('/otp', { phone }, newAddress(), limitedSite));
  expect(responses).toEqual([...Array(5).fill(OK), TOO_MANY, TOO_MANY]);
  await nextCode(limitedSite.dataFolder, phones[4] ?? '');
  expect(await messagesTo(limitedSite.dataFolder, phones[5] ?? '')).toEqual([]);
  await limitedSite.close();
});

test('After ten wrong codes, the correct code is rejected as well', async () => {
  const phone = newPhone();
  await post('/otp', { phone }, newAddress());
  const token = await nextCode(site.dataFolder, phone);
  const wrongCode = token === '000000' ? '000001' : '000000';
  for (let index = 0; index < 10; index += 1)
    await post('/verify', { phone, token: wrongCode, type: 'sms' }, newAddress());
  expect(await post('/verify', { phone, token, type: 'sms' }, newAddress())).toEqual({
    status: 403,
    code: 'otp_expired',
  });
});

test('Fifty wrong codes in a day disable the codes of a number, except on its known networks', async () => {
  const [phone, home] = [newPhone(), newAddress()];
  await post('/otp', { phone }, home);
  const firstToken = await nextCode(site.dataFolder, phone);
  expect(await post('/verify', { phone, token: firstToken, type: 'sms' }, home)).toEqual(OK);
  await site.backend.database.query(
    'update backend.mailed_tokens set wrong_tries = 50 where recipient = $1 and ended_at is not null',
    [phone],
  );
  await post('/otp', { phone }, home);
  const token = await nextCode(site.dataFolder, phone, 2);
  const body = { phone, token, type: 'sms' };
  expect(await post('/verify', body, newAddress())).toEqual({ status: 403, code: 'otp_expired' });
  expect(await post('/verify', body, home)).toEqual(OK);
});

test('Password guesses for a phone number have the same limits as for an email address', async () => {
  const [phone, from] = [newPhone(), newAddress()];
  const guess = () => post('/token?grant_type=password', { phone, password: 'Wrong-2026-x' }, from);
  for (let index = 0; index < 10; index += 1) expect((await guess()).code).toBe('invalid_credentials');
  expect(await guess()).toEqual({ status: 429, code: 'over_request_rate_limit' });
  const body = { phone: ` +${phone}`.trim(), password: 'Wrong-2026-x' };
  expect((await post('/token?grant_type=password', body, from)).status).toBe(429);
});
