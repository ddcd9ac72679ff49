import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PUBLISHABLE_KEY } from '../../packages/backend/src/http/keys.ts';
import { mailsTo, nextMail } from '../../packages/backend/tests/support/received-mails.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';

const PASSWORD = 'Fjord-2026-signal';

let site: TestBackend;
beforeAll(async () => {
  site = await startTestBackend({ AUTH_CONFIRM_EMAIL: 'on', AUTH_REDIRECT_URLS: 'https://app.example.com/in' });
});
afterAll(() => site.close());

const newEmail = () => `person-${crypto.randomUUID().slice(0, 8)}@example.com`;

function newClient(flowType: 'implicit' | 'pkce' = 'implicit'): SupabaseClient {
  const memory = new Map<string, string>();
  const storage = {
    getItem: (key: string) => memory.get(key) ?? null,
    setItem: (key: string, value: string) => void memory.set(key, value),
    removeItem: (key: string) => void memory.delete(key),
  };
  const auth = { flowType, storage, autoRefreshToken: false, storageKey: crypto.randomUUID() };
  return createClient(site.url, PUBLISHABLE_KEY, { auth });
}

/** Follows a link as a browser does, up to the redirect. */
async function openLink(link: string): Promise<URL> {
  const response = await fetch(link, { redirect: 'manual' });
  expect(response.status).toBe(303);
  expect(response.headers.get('cache-control')).toBe('no-store');
  return new URL(response.headers.get('location') ?? '');
}

const parseFragment = (url: URL) => Object.fromEntries(new URLSearchParams(url.hash.slice(1)));

async function newConfirmedUser() {
  const email = newEmail();
  const { data, error } = await site.service.auth.admin.createUser({ email, password: PASSWORD, email_confirm: true });
  if (error) throw error;
  const client = newClient();
  await client.auth.signInWithPassword({ email, password: PASSWORD });
  return { email, id: data.user.id, client };
}

describe('Confirming a sign-up', () => {
  test('The emailed link signs the user in once', async () => {
    const email = newEmail();
    const client = newClient();
    const forgedData = { role: 'team', sub: 'another-user', email_verified: true };
    const { data } = await client.auth.signUp({ email, password: PASSWORD, options: { data: forgedData } });
    const claims = { sub: data.user?.id, email, phone_verified: false };
    expect(data.session).toBeNull();
    expect(data.user?.user_metadata).toEqual({ role: 'team', ...claims, email_verified: false });
    expect(data.user).toMatchObject({ email, confirmation_sent_at: expect.any(String) });
    expect(data.user).not.toHaveProperty('email_confirmed_at');
    const unconfirmed = await newClient().auth.signInWithPassword({ email, password: PASSWORD });
    expect(unconfirmed.error).toMatchObject({ status: 400, code: 'email_not_confirmed' });

    const { link, subject } = await nextMail(site.dataFolder, email);
    expect(subject).toBe('Confirm your email address');
    const redirected = await openLink(link);
    expect(redirected.origin + redirected.pathname).toBe(`${site.url}/`);
    const tokens = parseFragment(redirected);
    expect(tokens).toMatchObject({ token_type: 'bearer', expires_in: '3600', type: 'signup' });
    expect(decodeJwt(tokens['access_token'] ?? '')).toMatchObject({
      email,
      user_metadata: { role: 'team', ...claims, email_verified: true },
    });
    const session = await client.auth.setSession({
      access_token: tokens['access_token'] ?? '',
      refresh_token: tokens['refresh_token'] ?? '',
    });
    expect(session.error).toBeNull();

    const secondClick = await openLink(link);
    expect(parseFragment(secondClick)).toMatchObject({ error: 'access_denied', error_code: 'otp_expired' });
    expect((await newClient().auth.signInWithPassword({ email, password: PASSWORD })).error).toBeNull();
  });

  test('An emailed code works once, and only for the email address that it was sent to', async () => {
    const [email, otherEmail] = [newEmail(), newEmail()];
    await newClient().auth.signUp({ email, password: PASSWORD });
    await newClient().auth.signUp({ email: otherEmail, password: PASSWORD });
    const { code } = await nextMail(site.dataFolder, email);
    const otherAddress = await newClient().auth.verifyOtp({ email: otherEmail, token: code, type: 'signup' });
    expect(otherAddress.error).toMatchObject({ status: 403, code: 'otp_expired' });
    const verification = await newClient().auth.verifyOtp({ email, token: code, type: 'email' });
    expect(verification.data.session?.user.email).toBe(email);
    const reused = await newClient().auth.verifyOtp({ email, token: code, type: 'email' });
    expect(reused.error?.code).toBe('otp_expired');
  });

  test('A link is valid for one hour', async () => {
    const email = newEmail();
    await newClient().auth.signUp({ email, password: PASSWORD });
    const { link } = await nextMail(site.dataFolder, email);
    await site.backend.database.query(
      `update backend.mailed_tokens set expires_at = expires_at - interval '61 minutes' where recipient = $1`,
      [email],
    );
    expect(parseFragment(await openLink(link))).toMatchObject({ error_code: 'otp_expired' });

    await newClient().auth.resend({ type: 'signup', email });
    const resent = await nextMail(site.dataFolder, email, 2);
    expect(parseFragment(await openLink(resent.link))).toHaveProperty('access_token');
  });

  test('Signing up with a known address returns a fake new account and sends no email', async () => {
    const { email } = await newConfirmedUser();
    const { data, error } = await newClient().auth.signUp({ email, password: 'Another-fjord-1' });
    expect(error).toBeNull();
    expect(data.user).toMatchObject({ email, identities: [] });
    expect(data.user?.id).not.toBe(
      (await site.service.auth.admin.listUsers()).data.users.find((u) => u.email === email)?.id,
    );
    expect(await mailsTo(site.dataFolder, email)).toEqual([]);
  });

  test('A HEAD request by a link scanner does not consume the link', async () => {
    const email = newEmail();
    await newClient().auth.signUp({ email, password: PASSWORD });
    const { link } = await nextMail(site.dataFolder, email);
    await fetch(link, { method: 'HEAD', redirect: 'manual' });
    expect(parseFragment(await openLink(link))).toHaveProperty('access_token');
  });
});

describe('Magic links and codes', () => {
  test('With PKCE, only the browser that requested the link can redeem its code', async () => {
    const { email } = await newConfirmedUser();
    const client = newClient('pkce');
    await client.auth.signInWithOtp({
      email,
      options: { shouldCreateUser: false, emailRedirectTo: `${site.url}/auth` },
    });
    const redirected = await openLink((await nextMail(site.dataFolder, email)).link);
    expect(redirected.pathname).toBe('/auth');
    expect(redirected.hash).toBe('');
    const code = redirected.searchParams.get('code') ?? '';

    const attacker = newClient('pkce');
    await attacker.auth.signInWithOtp({ email: newEmail() });
    const stolenCodeResponse = await fetch(`${site.url}/auth/v1/token?grant_type=pkce`, {
      method: 'POST',
      body: JSON.stringify({ auth_code: code, code_verifier: 'a'.repeat(56) }),
    });
    expect(stolenCodeResponse.status).toBe(400);
    expect(stolenCodeResponse.headers.get('x-sb-error-code')).toBe('bad_code_verifier');
    const secondExchange = await client.auth.exchangeCodeForSession(code);
    expect(secondExchange.error).toMatchObject({ status: 404, code: 'flow_state_not_found' });

    await client.auth.signInWithOtp({ email, options: { shouldCreateUser: false } });
    const second = await openLink((await nextMail(site.dataFolder, email, 2)).link);
    const session = await client.auth.exchangeCodeForSession(second.searchParams.get('code') ?? '');
    expect(session.data.user?.email).toBe(email);
    const amr = decodeJwt(session.data.session?.access_token ?? '')['amr'];
    expect(amr).toEqual([{ method: 'magiclink', timestamp: expect.any(Number) }]);
  });

  test('A link requested with PKCE never puts a session in the URL, even if its type is changed', async () => {
    const { email } = await newConfirmedUser();
    await newClient('pkce').auth.signInWithOtp({ email });
    const link = new URL((await nextMail(site.dataFolder, email)).link);
    link.searchParams.set('type', 'email');
    const redirected = await openLink(link.href);
    expect(redirected.hash).toBe('');
    expect(redirected.searchParams.get('code')).toBeTruthy();
  });

  test('A PKCE code expires five minutes after the click', async () => {
    const { email } = await newConfirmedUser();
    const client = newClient('pkce');
    await client.auth.signInWithOtp({ email });
    const redirected = await openLink((await nextMail(site.dataFolder, email)).link);
    await site.backend.database.query(`update auth.flow_state set auth_code_issued_at = now() - interval '6 minutes'`);
    const expiredExchange = await client.auth.exchangeCodeForSession(redirected.searchParams.get('code') ?? '');
    expect(expiredExchange.error).toMatchObject({ status: 403, code: 'flow_state_expired' });
  });

  test('An account is created for an unknown address unless shouldCreateUser is false. The responses are identical', async () => {
    const [knownEmail, newAddress, unknownEmail] = [(await newConfirmedUser()).email, newEmail(), newEmail()];
    const client = newClient();
    const responses = [
      await client.auth.signInWithOtp({ email: knownEmail, options: { shouldCreateUser: false } }),
      await client.auth.signInWithOtp({ email: newAddress }),
      await client.auth.signInWithOtp({ email: unknownEmail, options: { shouldCreateUser: false } }),
    ];
    for (const response of responses) expect(response).toEqual({ data: { user: null, session: null }, error: null });
    const { code } = await nextMail(site.dataFolder, newAddress);
    const verification = await client.auth.verifyOtp({ email: newAddress, token: code, type: 'email' });
    expect(verification.data.user?.email).toBe(newAddress);
    expect(await mailsTo(site.dataFolder, unknownEmail)).toEqual([]);
  });

  test('A password that a stranger set for an address is removed when the owner uses a magic link', async () => {
    const email = newEmail();
    await newClient().auth.signUp({ email, password: 'Strangers-pass-1' });
    await newClient().auth.signInWithOtp({ email });
    const { code } = await nextMail(site.dataFolder, email, 2);
    const ownerSignIn = await newClient().auth.verifyOtp({ email, token: code, type: 'email' });
    expect(ownerSignIn.error).toBeNull();
    const strangerSignIn = await newClient().auth.signInWithPassword({ email, password: 'Strangers-pass-1' });
    expect(strangerSignIn.error?.code).toBe('invalid_credentials');
  });
});

describe('Forgotten passwords', () => {
  test('The emailed link lets the user set a new password, which ends other sessions', async () => {
    const { email, client: otherClient } = await newConfirmedUser();
    const client = newClient('pkce');
    await client.auth.resetPasswordForEmail(email, { redirectTo: `${site.url}/auth/reset-password` });
    const mail = await nextMail(site.dataFolder, email);
    expect(mail.subject).toBe('Choose a new password');
    const redirected = await openLink(mail.link);
    expect(redirected.pathname).toBe('/auth/reset-password');
    const { data } = await client.auth.exchangeCodeForSession(redirected.searchParams.get('code') ?? '');
    expect(data).toMatchObject({ redirectType: 'recovery' });
    expect((await client.auth.updateUser({ password: 'Remembered-1' })).error).toBeNull();

    expect((await otherClient.auth.getUser()).error?.name).toBe('AuthSessionMissingError');
    expect((await newClient().auth.signInWithPassword({ email, password: PASSWORD })).error?.code).toBe(
      'invalid_credentials',
    );
    expect((await newClient().auth.signInWithPassword({ email, password: 'Remembered-1' })).error).toBeNull();
  });

  test('The response is the same for an unknown address, which is sent no email', async () => {
    const { email } = await newConfirmedUser();
    const unknown = newEmail();
    const responses = [
      await newClient().auth.resetPasswordForEmail(unknown),
      await newClient().auth.resetPasswordForEmail(email),
      await newClient().auth.resend({ type: 'signup', email: unknown }),
    ];
    expect(responses.map(({ error }) => error)).toEqual([null, null, null]);
    await nextMail(site.dataFolder, email);
    expect(await mailsTo(site.dataFolder, unknown)).toEqual([]);
  });
});

describe('Changing the email address', () => {
  test('After both addresses are confirmed, only the new address can sign in', async () => {
    const { email, client } = await newConfirmedUser();
    const newAddress = newEmail();
    const response = await client.auth.updateUser({ email: newAddress });
    expect(response.data.user).toMatchObject({ email, new_email: newAddress });

    const first = await openLink((await nextMail(site.dataFolder, newAddress)).link);
    expect(parseFragment(first)['message']).toContain('confirm link sent to the other email');
    expect((await client.auth.getUser()).data.user?.email).toBe(email);

    const { code } = await nextMail(site.dataFolder, email);
    const second = await newClient().auth.verifyOtp({ email, token: code, type: 'email_change' });
    expect(second.data.user).toMatchObject({ email: newAddress });
    expect(second.data.user?.identities?.[0]?.identity_data).toMatchObject({ email: newAddress, email_verified: true });
    expect((await newClient().auth.signInWithPassword({ email: newAddress, password: PASSWORD })).error).toBeNull();
    expect((await newClient().auth.signInWithPassword({ email, password: PASSWORD })).error?.code).toBe(
      'invalid_credentials',
    );
  });

  test("Changing to another user's address returns the usual response and sends that user no email", async () => {
    const [user, otherUser] = [await newConfirmedUser(), await newConfirmedUser()];
    const response = await user.client.auth.updateUser({ email: otherUser.email });
    expect(response.error).toBeNull();
    expect(response.data.user).toMatchObject({ new_email: otherUser.email });
    await nextMail(site.dataFolder, user.email);
    expect(await mailsTo(site.dataFolder, otherUser.email)).toEqual([]);
  });

  test('A new request invalidates the links of the earlier one', async () => {
    const { client } = await newConfirmedUser();
    const [first, second] = [newEmail(), newEmail()];
    await client.auth.updateUser({ email: first });
    const { link } = await nextMail(site.dataFolder, first);
    await client.auth.updateUser({ email: second });
    expect(parseFragment(await openLink(link))).toMatchObject({ error_code: 'otp_expired' });
    expect(parseFragment(await openLink((await nextMail(site.dataFolder, second)).link))).toHaveProperty('message');
  });
});

test('An invited user signs in through the email and chooses a password', async () => {
  const email = newEmail();
  const invited = await site.service.auth.admin.inviteUserByEmail(email, { data: { name: 'Ada' } });
  expect(invited.data.user).toMatchObject({ email, invited_at: expect.any(String), user_metadata: { name: 'Ada' } });
  const tokens = parseFragment(await openLink((await nextMail(site.dataFolder, email)).link));
  const client = newClient();
  await client.auth.setSession({
    access_token: tokens['access_token'] ?? '',
    refresh_token: tokens['refresh_token'] ?? '',
  });
  expect((await client.auth.updateUser({ password: PASSWORD })).error).toBeNull();
  expect((await newClient().auth.signInWithPassword({ email, password: PASSWORD })).error).toBeNull();
  expect((await site.service.auth.admin.inviteUserByEmail(email)).error?.code).toBe('email_exists');
});

test('A code from the email reauthenticates the user for a password change', async () => {
  const { email, client } = await newConfirmedUser();
  await client.auth.reauthenticate();
  const { code } = await nextMail(site.dataFolder, email);
  const wrongNonce = await client.auth.updateUser({
    password: 'Changed-fjord-1',
    nonce: code === '000000' ? '1' : '000000',
  });
  expect(wrongNonce.error).toMatchObject({ status: 400, code: 'reauthentication_not_valid' });
  expect((await client.auth.updateUser({ password: 'Changed-fjord-1', nonce: code })).error).toBeNull();
});

describe('Redirects are limited to allowed URLs', () => {
  test.each([
    ['https://evil.example/', '/'],
    ['//evil.example/', '/'],
    ['https://app.example.com.evil.example/in', '/'],
    ['https://app.example.com@evil.example/in', '/'],
    ['https://app.example.com/outside', '/'],
    ['https://app.example.com/inside-out', '/'],
    ['http://app.example.com/in', '/'],
    ['javascript:alert(1)', '/'],
    ['/\\evil.example', '/'],
    ['not an address', '/not%20an%20address'],
    ['/account?tab=2', '/account?tab=2'],
    ['https://app.example.com/in/deep', 'https://app.example.com/in/deep'],
  ])('redirect_to=%s redirects to %s', async (requestedUrl, expectedUrl) => {
    const { email } = await newConfirmedUser();
    const { data } = await site.service.auth.admin.generateLink({ type: 'magiclink', email });
    const link = new URL(data.properties?.action_link ?? '');
    link.searchParams.set('redirect_to', requestedUrl);
    const redirected = await openLink(link.href);
    redirected.hash = '';
    expect(redirected.href).toBe(new URL(expectedUrl, site.url).href);
  });

  test('A forged Host header is never used in an email', async () => {
    const { email } = await newConfirmedUser();
    const { port } = new URL(site.url);
    await site.backend.fetch(
      new Request(`http://evil.example:${port}/auth/v1/recover?redirect_to=http://evil.example:${port}/`, {
        method: 'POST',
        body: JSON.stringify({ email }),
      }),
    );
    const mail = await nextMail(site.dataFolder, email);
    expect(mail.link).not.toBe('');
    expect(mail.text + mail.html).not.toContain('evil.example');
  });
});

test('A link scanner that opens every URL in an email consumes neither the link nor the code', async () => {
  for (const method of ['code', 'link'] as const) {
    const email = `scanned-${crypto.randomUUID().slice(0, 8)}@example.com`;
    await site.service.auth.admin.createUser({ email, email_confirm: true });
    const client = createClient(site.url, PUBLISHABLE_KEY, {
      auth: { persistSession: false, autoRefreshToken: false },
    });
    await client.auth.signInWithOtp({ email });
    const mail = await nextMail(site.dataFolder, email);
    const urls = mail.text.match(/^https?:\S+$/gm) ?? [];
    expect(urls).toContain(mail.page);
    for (const url of [...urls, ...urls]) {
      const { pathname, search } = new URL(url);
      await (await fetch(`${site.url}${pathname}${search}`, { redirect: 'manual' })).arrayBuffer();
    }
    if (method === 'code') {
      expect((await client.auth.verifyOtp({ type: 'email', email, token: mail.code })).error).toBeNull();
    } else {
      // The page's button opens this URL. API clients open it directly.
      const { pathname, search } = new URL(mail.link);
      const response = await fetch(`${site.url}${pathname}${search}`, { redirect: 'manual' });
      expect(response.headers.get('location')).toContain('access_token=');
    }
  }
});
