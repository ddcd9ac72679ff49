/** AUTH_* settings. Each test starts its own backend. */
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { decodeProtectedHeader, SignJWT } from 'jose';
import { afterEach, expect, test } from 'vitest';
import { createTokenVerifier } from '../../packages/backend/src/http/identity.ts';
import { listSigningKeys, loadKeys, PUBLISHABLE_KEY, revokeSigningKey } from '../../packages/backend/src/http/keys.ts';
import { mailsTo, nextMail } from '../../packages/backend/tests/support/received-mails.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';

const PASSWORD = 'Fjord-2026-signal';

let site: TestBackend;
afterEach(() => site.close());

const newEmail = () => `person-${crypto.randomUUID().slice(0, 8)}@example.com`;

function newClient(): SupabaseClient {
  const auth = { persistSession: false, autoRefreshToken: false, storageKey: crypto.randomUUID() };
  return createClient(site.url, PUBLISHABLE_KEY, { auth });
}

async function readSettings() {
  const response = await fetch(`${site.url}/auth/v1/settings`);
  return (await response.json()) as Record<string, unknown>;
}

test('With sign-ups disabled, only the service role creates accounts, and responses do not reveal whether an account exists', async () => {
  site = await startTestBackend({ AUTH_SIGNUPS: 'off' });
  expect(await readSettings()).toMatchObject({ disable_signup: true });
  const [email, strangerEmail] = [newEmail(), newEmail()];
  const response = await newClient().auth.signUp({ email: strangerEmail, password: PASSWORD });
  expect(response.data.user).toBeNull();
  expect(response.error).toMatchObject({
    status: 422,
    code: 'signup_disabled',
    message: 'Signups not allowed for this instance',
  });
  const created = await site.service.auth.admin.createUser({ email, password: PASSWORD, email_confirm: true });
  expect(created.error).toBeNull();
  expect((await newClient().auth.signInWithPassword({ email, password: PASSWORD })).error).toBeNull();

  const unknown = await newClient().auth.signInWithOtp({ email: strangerEmail });
  const knownResponse = await newClient().auth.signInWithOtp({ email });
  expect(unknown).toEqual(knownResponse);
  await nextMail(site.dataFolder, email);
  expect(await mailsTo(site.dataFolder, strangerEmail)).toEqual([]);
  const { data } = await site.service.auth.admin.listUsers();
  expect(data.users.map((user) => user.email)).toEqual([email]);
});

test('Every endpoint that sets a password enforces the password rule', async () => {
  site = await startTestBackend({ AUTH_PASSWORD_MIN_LENGTH: '12', AUTH_PASSWORD_CHARACTERS: 'letters_digits' });
  const weak = {
    status: 422,
    code: 'weak_password',
    message:
      'Password should be at least 12 characters. Password should contain at least one character of each: ' +
      'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ, 0123456789.',
    reasons: ['length', 'characters'],
  };
  const client = newClient();
  expect((await client.auth.signUp({ email: newEmail(), password: 'abcdefghij' })).error).toMatchObject(weak);
  const { error } = await client.auth.signUp({ email: newEmail(), password: 'abcdefghijk1' });
  expect(error).toBeNull();
  expect((await client.auth.updateUser({ password: 'ABC' })).error).toMatchObject(weak);
  const { admin } = site.service.auth;
  expect((await admin.createUser({ email: newEmail(), password: 'ABC' })).error).toMatchObject(weak);
});

test('A rule without required characters checks the length only', async () => {
  site = await startTestBackend({ AUTH_PASSWORD_MIN_LENGTH: '6', AUTH_PASSWORD_CHARACTERS: 'none' });
  const signUp = (password: string) => newClient().auth.signUp({ email: newEmail(), password });
  expect((await signUp('short')).error).toMatchObject({ message: 'Password should be at least 6 characters.' });
  expect((await signUp('      ')).error).toBeNull();
});

test('Without a reuse interval, reusing a refresh token ends the session', async () => {
  site = await startTestBackend({ AUTH_REFRESH_REUSE_SECONDS: '0' });
  const client = newClient();
  const { data } = await client.auth.signUp({ email: newEmail(), password: PASSWORD });
  const refresh_token = data.session?.refresh_token ?? '';
  const first = await newClient().auth.refreshSession({ refresh_token });
  expect(first.error).toBeNull();
  const second = await newClient().auth.refreshSession({ refresh_token });
  expect(second.error).toMatchObject({ code: 'refresh_token_already_used' });
  const child = await newClient().auth.refreshSession({ refresh_token: first.data.session?.refresh_token ?? '' });
  expect(child.error).toMatchObject({ code: 'refresh_token_not_found' });
});

test('With RS256, tokens are signed with an RSA key that anyone can verify', async () => {
  site = await startTestBackend({ AUTH_SIGNING_ALGORITHM: 'RS256' });
  const client = newClient();
  const email = newEmail();
  const { data } = await client.auth.signUp({ email, password: PASSWORD });
  const { kid } = site.backend.keys.current;
  expect(decodeProtectedHeader(data.session?.access_token ?? '')).toEqual({ alg: 'RS256', kid, typ: 'JWT' });
  const claims = await client.auth.getClaims();
  expect(claims.error).toBeNull();
  expect(claims.data).toMatchObject({ claims: { email }, header: { alg: 'RS256', kid } });
  expect((await client.auth.getUser()).data.user?.email).toBe(email);
  expect((await client.from('posts').select('id').limit(1)).error).toBeNull();

  const jwks = await (await fetch(`${site.url}/auth/v1/.well-known/jwks.json`)).json();
  const members = ['alg', 'e', 'key_ops', 'kid', 'kty', 'n', 'use'];
  expect(jwks.keys.map((key: object) => Object.keys(key).sort())).toEqual([members]);
});

test('After a change of algorithm, a new key signs tokens, and old tokens stay valid until their key is revoked', async () => {
  site = await startTestBackend();
  const { database, keys: before } = site.backend;
  const { token } = await site.signedIn('client');
  const after = await loadKeys(database, 'RS256');
  expect(after.current).toMatchObject({ alg: 'RS256' });
  expect(after.current.kid).not.toBe(before.current.kid);
  expect((await loadKeys(database, 'RS256')).current.kid).toBe(after.current.kid);
  const verifier = createTokenVerifier(after);
  await expect(verifier.verify(token)).resolves.toMatchObject({ role: 'authenticated' });

  const sign = (kid: string) =>
    new SignJWT({ role: 'service_role' }).setProtectedHeader({ alg: 'RS256', kid }).sign(after.current.privateKey);
  await expect(verifier.verify(await sign(after.current.kid))).resolves.toMatchObject({ role: 'service_role' });
  await expect(verifier.verify(await sign(before.current.kid))).rejects.toMatchObject({ fault: 'bad signature' });

  expect((await loadKeys(database, 'ES256')).current.kid).toBe(before.current.kid);
  const keys = await listSigningKeys(database, 'RS256');
  expect(keys.map(({ alg, isSigning }) => [alg, isSigning])).toEqual([
    ['RS256', true],
    ['ES256', false],
  ]);
  expect(await revokeSigningKey(database, after.current.kid, 'RS256')).toBe(false);
  expect(await revokeSigningKey(database, before.current.kid, 'RS256')).toBe(true);
  const revoked = createTokenVerifier(await loadKeys(database, 'RS256'));
  await expect(revoked.verify(token)).rejects.toMatchObject({ fault: 'unknown key' });
});
