/** Attacks on the auth service: floods and probing. Guessing, timing and lockouts are in tests/attacks/. */
import { createClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PUBLISHABLE_KEY } from '../src/http/keys.ts';
import { mailsTo, nextMail } from './support/received-mails.ts';
import { startTestBackend, type TestBackend } from './support/test-backend.ts';

const PASSWORD = 'Fjord-2026-signal';
const newEmail = () => `person-${crypto.randomUUID().slice(0, 8)}@example.com`;

let site: TestBackend;
let limited: TestBackend;
beforeAll(async () => {
  site = await startTestBackend();
  limited = await startTestBackend({ RATE_LIMITS: 'on' });
});
afterAll(async () => {
  await site.close();
  await limited.close();
});

interface AuthResponse {
  status: number;
  code: string | null;
  body: Record<string, unknown>;
}

async function post(backend: TestBackend, path: string, body: object, address?: string): Promise<AuthResponse> {
  const response = await fetch(`${backend.url}/auth/v1${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(address ? { 'x-forwarded-for': address } : {}) },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  return {
    status: response.status,
    code: response.headers.get('x-sb-error-code'),
    body: text ? (JSON.parse(text) as Record<string, unknown>) : {},
  };
}

async function createAccount(backend: TestBackend): Promise<string> {
  const email = newEmail();
  const { error } = await backend.service.auth.admin.createUser({ email, password: PASSWORD, email_confirm: true });
  if (error) throw error;
  return email;
}

const signIn = (backend: TestBackend, email: string, password: string, address?: string) =>
  post(backend, '/token?grant_type=password', { email, password }, address);

/** Each test of a limit uses its own address, because limits last for minutes. */
let nextAddress = 1;
const newAddress = () => `198.51.100.${nextAddress++}`;

describe('Limits', () => {
  test('A correct password resets the count of wrong passwords', async () => {
    const [email, address] = [await createAccount(limited), newAddress()];
    for (let round = 0; round < 2; round++) {
      for (let n = 0; n < 9; n++) await signIn(limited, email, 'Wrong-1-wrong', address);
      expect((await signIn(limited, email, PASSWORD, address)).status).toBe(200);
    }
  });

  test('An address can try a hundred sign-ins in five minutes, and another address is not affected', async () => {
    const address = newAddress();
    const responses = await Promise.all(
      Array.from({ length: 101 }, () => post(limited, '/token?grant_type=password', { email: newEmail() }, address)),
    );
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(1);
    expect((await signIn(limited, newEmail(), 'x', newAddress())).status).toBe(400);
  });

  test('An address can sign up thirty accounts per hour', async () => {
    const address = newAddress();
    const attempts = Array.from({ length: 31 }, () => post(limited, '/otp', { email: newEmail() }, address));
    const responses = await Promise.all(attempts);
    expect(responses.filter(({ code }) => code === 'over_request_rate_limit')).toHaveLength(1);
  });

  test('X-Forwarded-For from an untrusted client does not change its address', async () => {
    const request = (forwarded: string) =>
      limited.backend.fetch(
        new Request(`${limited.url}/auth/v1/token?grant_type=password`, {
          method: 'POST',
          headers: { 'x-forwarded-for': forwarded },
          body: JSON.stringify({ email: newEmail() }),
        }),
        '203.0.113.7',
      );
    const responses = await Promise.all(Array.from({ length: 101 }, (_, n) => request(`10.1.2.${n}`)));
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(1);
  });
});

describe('Known and unknown addresses', () => {
  test('An invited user without a password gets the same error as an unknown address', async () => {
    const email = newEmail();
    await site.service.auth.admin.inviteUserByEmail(email);
    const responses = await Promise.all(['', 'Guess-1-guess'].map((password) => signIn(site, email, password)));
    for (const response of responses) expect(response).toEqual(await signIn(site, newEmail(), 'Guess-1-guess'));
  });

  test.each(['/recover', '/otp', '/magiclink', '/resend'])('POST %s does not reveal known accounts', async (path) => {
    const fields = { type: 'signup', create_user: false };
    const knownResponse = await post(site, path, { ...fields, email: await createAccount(site) });
    const unknownResponse = await post(site, path, { ...fields, email: newEmail() });
    expect(knownResponse).toEqual({ status: 200, code: null, body: {} });
    expect(unknownResponse).toEqual(knownResponse);
  });
});

describe('Header injection', () => {
  test.each([
    'a@example.com\r\nBcc: victim@example.com',
    'a@example.com\nSubject: Win',
    'a@example.com, victim@example.com',
    '"a@example.com, victim@example.com" <b@example.com>',
    'a@example.com%0ABcc:victim@example.com',
    'a@example.com\0',
  ])('The email address %j is rejected by all endpoints', async (email) => {
    for (const path of ['/signup', '/recover', '/otp', '/resend']) {
      const response = await post(site, path, { email, password: PASSWORD, type: 'signup' });
      expect(response).toMatchObject({ status: 400, code: 'validation_failed' });
    }
    const mails = await mailsTo(site.dataFolder, 'victim@example.com');
    expect(mails).toEqual([]);
  });

  test('A name with markup and line breaks is escaped in the mail', async () => {
    const email = newEmail();
    await site.service.auth.admin.inviteUserByEmail(email, { data: { name: '<b>x</b>\r\nBcc: a@b.c' } });
    const mail = await nextMail(site.dataFolder, email);
    expect(mail.headers).not.toContain('Bcc');
    expect(mail.headers).toMatch(new RegExp(`^To: ${email}\\r?$`, 'm'));
    expect(mail.html).not.toContain('<b>x</b>');
  });
});

test('A body that is too large is rejected', async () => {
  const response = await post(site, '/signup', {
    email: newEmail(),
    password: PASSWORD,
    data: { text: 'x'.repeat(200_000) },
  });
  expect(response).toMatchObject({ status: 413, code: 'validation_failed' });
});

test('A script on another origin can call the service, as on a hosted project', async () => {
  const client = createClient(site.url, PUBLISHABLE_KEY, { auth: { persistSession: false, autoRefreshToken: false } });
  expect((await client.auth.getSession()).data.session).toBeNull();
  const preflight = await fetch(`${site.url}/auth/v1/token`, {
    method: 'OPTIONS',
    headers: { origin: 'https://elsewhere.example', 'access-control-request-method': 'POST' },
  });
  expect(preflight.headers.get('access-control-allow-origin')).toBe('*');
});
