/** Account deletion and data export through supabase-js, as on the account page. */
import { createClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PUBLISHABLE_KEY } from '../../packages/backend/src/http/keys.ts';
import { nextMail } from '../../packages/backend/tests/support/received-mails.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';

const PASSWORD = 'Fjord-2026-signal';
const REAUTHENTICATION_MESSAGE =
  'Please confirm your identity: sign in again, then delete the account within five minutes.';

let site: TestBackend;
beforeAll(async () => {
  site = await startTestBackend({ RATE_LIMITS: 'on' });
});
afterAll(() => site.close());

function newClient() {
  const auth = { persistSession: false, autoRefreshToken: false, storageKey: crypto.randomUUID() };
  return createClient(site.url, PUBLISHABLE_KEY, { auth });
}

/** Signs up and backdates the sign-in by an hour. */
async function newAccount(password = PASSWORD) {
  const email = `person-${crypto.randomUUID().slice(0, 8)}@example.com`;
  const client = newClient();
  const { data, error } = await client.auth.signUp({ email, password });
  if (error || !data.user || !data.session) throw error ?? new Error('no session');
  await site.backend.database.query(
    `update auth.mfa_amr_claims set updated_at = now() - interval '1 hour'
     where session_id in (select id from auth.sessions where user_id = $1)`,
    [data.user.id],
  );
  return { email, client, id: data.user.id, refreshToken: data.session.refresh_token };
}

async function accountExists(id: string): Promise<boolean> {
  return (await site.service.auth.admin.getUserById(id)).data.user !== null;
}

test('Deleting an account requires a recent sign-in, even with a refreshed session', async () => {
  const { email, client, id, refreshToken } = await newAccount();
  expect((await client.rpc('delete_my_account')).error?.message).toBe(REAUTHENTICATION_MESSAGE);
  expect((await client.auth.refreshSession()).error).toBeNull();
  expect((await client.rpc('delete_my_account')).error?.message).toBe(REAUTHENTICATION_MESSAGE);
  expect(await accountExists(id)).toBe(true);

  const newSession = newClient();
  expect((await newSession.auth.signInWithPassword({ email, password: PASSWORD })).error).toBeNull();
  expect((await newSession.rpc('delete_my_account')).error).toBeNull();
  expect(await accountExists(id)).toBe(false);
  expect((await client.auth.getUser()).error).toMatchObject({ status: 403, code: 'user_not_found' });
  const refreshed = await newClient().auth.refreshSession({ refresh_token: refreshToken });
  expect(refreshed.error?.code).toBe('refresh_token_not_found');
  expect((await newClient().auth.signInWithPassword({ email, password: PASSWORD })).error?.code).toBe(
    'invalid_credentials',
  );
});

test('Signing in to one account does not allow deleting another', async () => {
  const [victim, attacker] = [await newAccount(), await newAccount('Another-Password-2')];
  const newSession = newClient();
  const wrongPassword = await newSession.auth.signInWithPassword({
    email: victim.email,
    password: 'Another-Password-2',
  });
  expect(wrongPassword.error?.code).toBe('invalid_credentials');
  expect((await newSession.rpc('delete_my_account')).status).toBe(401);
  await newSession.auth.signInWithPassword({ email: attacker.email, password: 'Another-Password-2' });
  expect((await victim.client.rpc('delete_my_account')).error?.message).toBe(REAUTHENTICATION_MESSAGE);
  expect((await newSession.rpc('delete_my_account')).error).toBeNull();
  expect(await accountExists(victim.id)).toBe(true);
  expect(await accountExists(attacker.id)).toBe(false);
});

test('A user can delete the account after signing in with an emailed code, which works only once', async () => {
  const { email, id } = await newAccount();
  const newSession = newClient();
  await newSession.auth.signInWithOtp({ email, options: { shouldCreateUser: false } });
  const { code } = await nextMail(site.dataFolder, email);
  expect((await newSession.auth.verifyOtp({ email, token: code, type: 'email' })).error).toBeNull();
  expect((await newSession.rpc('delete_my_account')).error).toBeNull();
  expect(await accountExists(id)).toBe(false);
  expect((await newClient().auth.verifyOtp({ email, token: code, type: 'email' })).error?.code).toBe('otp_expired');
});

test('Data exports are limited to 30 per hour per network', async () => {
  const { client } = await newAccount();
  for (let attempt = 0; attempt < 30; attempt += 1) expect((await client.rpc('my_data')).error).toBeNull();
  const { error, status } = await client.rpc('my_data');
  expect(status).toBe(429);
  expect(error?.message).toBe('Too many requests. Try again in an hour.');
});
