import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cleanUp } from '../../packages/backend/src/auth/clean-up.ts';
import { PUBLISHABLE_KEY } from '../../packages/backend/src/http/keys.ts';
import { nextMail } from '../../packages/backend/tests/support/received-mails.ts';
import { nextCode } from '../../packages/backend/tests/support/received-messages.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';

const PASSWORD = 'Fjord-2026-signal';

let site: TestBackend;
let confirmingSite: TestBackend;
beforeAll(async () => {
  site = await startTestBackend({ AUTH_ANONYMOUS: 'on' });
  confirmingSite = await startTestBackend({ AUTH_ANONYMOUS: 'on', AUTH_CONFIRM_EMAIL: 'on', AUTH_PHONE: 'on' });
});
afterAll(async () => {
  await site.close();
  await confirmingSite.close();
});

const newEmail = () => `person-${crypto.randomUUID().slice(0, 8)}@example.com`;

function newClient(backend = site): SupabaseClient {
  const auth = { persistSession: false, autoRefreshToken: false, storageKey: crypto.randomUUID() };
  return createClient(backend.url, PUBLISHABLE_KEY, { auth });
}

async function signInAnonymously(backend = site) {
  const client = newClient(backend);
  const { data, error } = await client.auth.signInAnonymously({ options: { data: { cart: 7 } } });
  if (error || !data.user || !data.session) throw error ?? new Error('No session');
  return { client, id: data.user.id, session: data.session };
}

const refreshedClaims = async (client: SupabaseClient) => {
  const { data } = await client.auth.refreshSession();
  return decodeJwt(data.session?.access_token ?? '');
};

test('Anonymous sign-in gives a visitor an account and a session without credentials', async () => {
  const { client, id, session } = await signInAnonymously();
  expect(session.user).toMatchObject({
    is_anonymous: true,
    email: '',
    phone: '',
    identities: [],
    app_metadata: {},
    user_metadata: { cart: 7 },
    last_sign_in_at: expect.any(String),
  });
  expect(decodeJwt(session.access_token)).toMatchObject({
    sub: id,
    role: 'authenticated',
    is_anonymous: true,
    aal: 'aal1',
    amr: [{ method: 'anonymous' }],
  });
  expect((await client.auth.getUser()).data.user?.id).toBe(id);
  expect(await refreshedClaims(client)).toMatchObject({ sub: id, is_anonymous: true });
  const settings = await (await fetch(`${site.url}/auth/v1/settings`)).json();
  expect(settings.external).toMatchObject({ anonymous_users: true });
});

test('Without email confirmation, adding an email address and a password makes the account permanent', async () => {
  const { client, id } = await signInAnonymously();
  const email = newEmail();
  const response = await client.auth.updateUser({ password: PASSWORD });
  expect(response.error).toMatchObject({
    status: 422,
    code: 'validation_failed',
    message: 'Updating password of an anonymous user without an email or phone is not allowed',
  });
  const { data, error } = await client.auth.updateUser({ email, password: PASSWORD });
  expect(error).toBeNull();
  expect(data.user).toMatchObject({
    id,
    email,
    is_anonymous: false,
    email_confirmed_at: expect.any(String),
    app_metadata: { provider: 'email', providers: ['email'] },
    user_metadata: { cart: 7, email, email_verified: true },
    identities: [{ provider: 'email', identity_data: { email, email_verified: true } }],
  });
  expect(await refreshedClaims(client)).toMatchObject({ sub: id, is_anonymous: false, email });
  const passwordSignIn = await newClient().auth.signInWithPassword({ email, password: PASSWORD });
  expect(passwordSignIn.data.user?.id).toBe(id);
});

test("Another user's email address is rejected, and the account stays anonymous", async () => {
  const email = newEmail();
  await newClient().auth.signUp({ email, password: PASSWORD });
  const { client } = await signInAnonymously();
  const { error } = await client.auth.updateUser({ email, password: 'Stranger-2026-x' });
  expect(error).toMatchObject({ status: 422, code: 'email_exists' });
  expect((await client.auth.getUser()).data.user).toMatchObject({ is_anonymous: true, email: '' });
  expect((await newClient().auth.signInWithPassword({ email, password: PASSWORD })).error).toBeNull();
});

test('If email addresses must be confirmed, the account stays anonymous until the link is used', async () => {
  const { client, id } = await signInAnonymously(confirmingSite);
  const email = newEmail();
  const { data } = await client.auth.updateUser({ email });
  expect(data.user).toMatchObject({ is_anonymous: true, email: '', new_email: email });
  expect(await refreshedClaims(client)).toMatchObject({ is_anonymous: true });
  const { code } = await nextMail(confirmingSite.dataFolder, email);
  const confirmed = await client.auth.verifyOtp({ email, token: code, type: 'email_change' });
  expect(confirmed.error).toBeNull();
  expect(confirmed.data.user).toMatchObject({ id, email, is_anonymous: false, identities: [{ provider: 'email' }] });
  expect(await refreshedClaims(client)).toMatchObject({ is_anonymous: false, email });
});

test('Adding a phone number makes the account permanent', async () => {
  const { client, id } = await signInAnonymously(confirmingSite);
  const phone = '4792000001';
  await client.auth.updateUser({ phone });
  expect((await client.auth.getUser()).data.user?.is_anonymous).toBe(true);
  const token = await nextCode(confirmingSite.dataFolder, phone);
  const { data } = await client.auth.verifyOtp({ phone, token, type: 'phone_change' });
  expect(data.user).toMatchObject({ id, phone, is_anonymous: false, identities: [{ provider: 'phone' }] });
});

test('An anonymous user cannot enrol a second factor or reauthenticate', async () => {
  const { client } = await signInAnonymously();
  const message = 'Anonymous user not allowed to perform these actions';
  const factor = await client.auth.mfa.enroll({ factorType: 'totp' });
  expect(factor.error).toMatchObject({ status: 403, code: 'no_authorization', message });
  const nonce = await client.auth.reauthenticate();
  expect(nonce.error).toMatchObject({ status: 422, code: 'validation_failed' });
});

test('Anonymous sign-in fails if anonymous accounts or all sign-ups are disabled', async () => {
  const disabled = await startTestBackend();
  const response = await newClient(disabled).auth.signInAnonymously();
  expect(response.error).toMatchObject({
    status: 422,
    code: 'anonymous_provider_disabled',
    message: 'Anonymous sign-ins are disabled',
  });
  await disabled.close();
  const withoutSignUps = await startTestBackend({ AUTH_ANONYMOUS: 'on', AUTH_SIGNUPS: 'off' });
  expect((await newClient(withoutSignUps).auth.signInAnonymously()).error).toMatchObject({ code: 'signup_disabled' });
  await withoutSignUps.close();
});

test('An IP address can create thirty anonymous accounts an hour', async () => {
  const limited = await startTestBackend({ AUTH_ANONYMOUS: 'on', RATE_LIMITS: 'on' });
  const signUp = (address: string) =>
    fetch(`${limited.url}/auth/v1/signup`, { method: 'POST', headers: { 'x-forwarded-for': address }, body: '{}' });
  for (let number = 0; number < 30; number += 1) expect((await signUp('198.51.100.1')).status).toBe(200);
  const exceeded = await signUp('198.51.100.1');
  expect([exceeded.status, exceeded.headers.get('x-sb-error-code')]).toEqual([429, 'over_request_rate_limit']);
  expect((await signUp('198.51.100.2')).status).toBe(200);
  await limited.close();
});

test('Only anonymous accounts that have been unused for a month are deleted', async () => {
  const { database } = site.backend;
  const [unusedAccount, usedAccount, permanentAccount] = [
    await signInAnonymously(),
    await signInAnonymously(),
    await signInAnonymously(),
  ];
  await permanentAccount.client.auth.updateUser({ email: newEmail() });
  const ids = [unusedAccount.id, usedAccount.id, permanentAccount.id];
  await database.query(`update auth.users set created_at = now() - interval '31 days' where id = any($1)`, [ids]);
  await database.query(`update auth.sessions set created_at = now() - interval '31 days' where user_id = any($1)`, [
    ids,
  ]);
  await usedAccount.client.auth.refreshSession();
  await cleanUp(database);
  const { rows } = await database.query<{ id: string }>('select id from auth.users where id = any($1)', [ids]);
  expect(rows.map(({ id }) => id).sort()).toEqual([usedAccount.id, permanentAccount.id].sort());
});
