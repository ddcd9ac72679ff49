/** All endpoints with a captcha reject requests without a solved one. */
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PUBLISHABLE_KEY } from '../../packages/backend/src/http/keys.ts';
import { type FakeCaptcha, startFakeCaptcha } from '../support/fake-captcha.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';

const PASSWORD = 'Fjord-2026-signal';

let provider: FakeCaptcha;
let site: TestBackend;
beforeAll(async () => {
  provider = await startFakeCaptcha();
  site = await startTestBackend({
    AUTH_ANONYMOUS: 'on',
    AUTH_WEB3_ETHEREUM: 'on',
    CAPTCHA_PROVIDER: 'turnstile',
    CAPTCHA_SECRET: 'geheim',
    CAPTCHA_URL: provider.url,
  });
});
afterAll(async () => {
  await site.close();
  await provider.close();
});

const newEmail = () => `person-${crypto.randomUUID().slice(0, 8)}@example.com`;
const solvedToken = () => `solved-${crypto.randomUUID()}`;

function newClient(): SupabaseClient {
  const auth = { persistSession: false, autoRefreshToken: false, storageKey: crypto.randomUUID() };
  return createClient(site.url, PUBLISHABLE_KEY, { auth });
}

async function post(path: string, body: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(`${site.url}/auth/v1${path}`, {
    method: 'POST',
    headers,
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  const { msg } = (await response.json()) as { msg?: string };
  return { status: response.status, code: response.headers.get('x-sb-error-code'), msg };
}

const NO_TOKEN = {
  status: 400,
  code: 'captcha_failed',
  msg: 'captcha protection: request disallowed (no captcha_token found)',
};

test.each([
  '/signup',
  '/recover',
  '/otp',
  '/magiclink',
  '/resend',
  '/sso',
  '/token?grant_type=password',
  '/token?grant_type=web3',
  '/passkeys/authentication/options',
])('%s requires a captcha before any other check', async (path) => {
  const before = provider.requests.length;
  for (const body of ['', '{}', { gotrue_meta_security: {} }, { gotrue_meta_security: { captcha_token: ' ' } }]) {
    expect(await post(path, body)).toEqual(NO_TOKEN);
  }
  expect(provider.requests).toHaveLength(before);
  const response = await post(path, { gotrue_meta_security: { captcha_token: 'made up' } });
  expect(response).toEqual({ ...NO_TOKEN, msg: 'captcha protection: request disallowed (invalid-input-response)' });
  expect(provider.requests.at(-1)).toEqual({ secret: 'geheim', response: 'made up', remoteip: '127.0.0.1' });
});

test.each(['/token?grant_type=refresh_token', '/token?grant_type=pkce', '/token?grant_type=id_token', '/verify'])(
  '%s requires no captcha',
  async (path) => {
    expect((await post(path, {})).code).not.toBe('captcha_failed');
  },
);

test('A solved captcha allows signing up, signing in and requesting links, once per token', async () => {
  const email = newEmail();
  const captchaToken = solvedToken();
  const { error } = await newClient().auth.signUp({ email, password: PASSWORD, options: { captchaToken } });
  expect(error).toBeNull();
  const response = await newClient().auth.signInWithPassword({ email, password: PASSWORD, options: { captchaToken } });
  expect(response.error).toMatchObject({
    status: 400,
    code: 'captcha_failed',
    message: 'captcha protection: request disallowed (timeout-or-duplicate)',
  });
  const client = newClient();
  const options = { captchaToken: solvedToken() };
  expect((await client.auth.signInWithPassword({ email, password: PASSWORD, options })).error).toBeNull();
  expect((await client.auth.refreshSession()).error).toBeNull();
  expect((await client.auth.updateUser({ data: { name: 'Ada' } })).error).toBeNull();
  const link = { captchaToken: solvedToken() };
  expect((await newClient().auth.signInWithOtp({ email, options: link })).error).toBeNull();
  expect((await newClient().auth.resetPasswordForEmail(email, { captchaToken: solvedToken() })).error).toBeNull();
  expect((await newClient().auth.signInAnonymously({ options: { captchaToken: solvedToken() } })).error).toBeNull();
});

test('The service role needs no captcha, but a forged service_role token does', async () => {
  const { secretKey } = site.backend.keys;
  const body = { email: newEmail(), password: PASSWORD };
  const response = await post('/signup', body, { apikey: secretKey, authorization: `Bearer ${secretKey}` });
  expect(response.status).toBe(200);
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const forgedToken = `${part({ alg: 'none', typ: 'JWT' })}.${part({ role: 'service_role' })}.`;
  for (const token of [forgedToken, 'sb_secret_guess', PUBLISHABLE_KEY]) {
    expect(await post('/signup', body, { authorization: `Bearer ${token}` })).toEqual(NO_TOKEN);
  }
});

test('All requests are rejected while the provider fails', async () => {
  const failing = await startFakeCaptcha();
  const brokenSite = await startTestBackend({
    CAPTCHA_PROVIDER: 'hcaptcha',
    CAPTCHA_SECRET: 'geheim',
    CAPTCHA_URL: failing.url,
  });
  const email = newEmail();
  const signUp = async () => {
    const response = await fetch(`${brokenSite.url}/auth/v1/signup`, {
      method: 'POST',
      body: JSON.stringify({ email, password: PASSWORD, gotrue_meta_security: { captcha_token: solvedToken() } }),
    });
    return { status: response.status, body: await response.json() };
  };
  const expected = {
    status: 500,
    body: { code: 500, error_code: 'unexpected_failure', msg: 'captcha verification process failed' },
  };
  for (const [status, body] of [
    [503, 'Service Unavailable'],
    [200, '{}'],
    [200, '{"success":"true"}'],
    [200, 'null'],
  ] as const) {
    failing.breakWith(status, body);
    expect(await signUp()).toEqual(expected);
  }
  await failing.close();
  expect(await signUp()).toEqual(expected);
  const { data } = await brokenSite.service.auth.admin.listUsers();
  expect(data.users).toEqual([]);
  await brokenSite.close();
});

test('An IP address can have a hundred captchas verified in five minutes', async () => {
  const limitedSite = await startTestBackend({
    RATE_LIMITS: 'on',
    CAPTCHA_PROVIDER: 'turnstile',
    CAPTCHA_SECRET: 'geheim',
    CAPTCHA_URL: provider.url,
  });
  const before = provider.requests.length;
  const body = JSON.stringify({ gotrue_meta_security: { captcha_token: 'made up' } });
  const attempts = Array.from({ length: 101 }, async () => {
    const response = await fetch(`${limitedSite.url}/auth/v1/recover`, { method: 'POST', body });
    return response.status;
  });
  const statuses = await Promise.all(attempts);
  expect(statuses.filter((status) => status === 429)).toHaveLength(1);
  expect(provider.requests).toHaveLength(before + 100);
  await limitedSite.close();
});
