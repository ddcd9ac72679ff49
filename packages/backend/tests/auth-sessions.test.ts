import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cleanUp } from '../src/auth/clean-up.ts';
import { PUBLISHABLE_KEY } from '../src/http/keys.ts';
import { startTestBackend, type TestBackend } from './support/test-backend.ts';

const PASSWORD = 'Fjord-2026-signal';

let site: TestBackend;
beforeAll(async () => {
  site = await startTestBackend();
});
afterAll(() => site.close());

const newEmail = () => `person-${crypto.randomUUID().slice(0, 8)}@example.com`;

/** Creates a client with its own storage key, because clients with the same key share their sign-out. */
function newClient(): SupabaseClient {
  const auth = { persistSession: false, autoRefreshToken: false, storageKey: crypto.randomUUID() };
  return createClient(site.url, PUBLISHABLE_KEY, { auth });
}

async function signUp() {
  const email = newEmail();
  const client = newClient();
  const { data, error } = await client.auth.signUp({
    email,
    password: PASSWORD,
    options: { data: { role: 'client' } },
  });
  if (error || !data.session || !data.user) throw error ?? new Error('no session');
  return { email, client, session: data.session, user: data.user };
}

/** Sends a raw token request, with grants and parameters that the official client does not send. */
async function grant(type: string, body: object): Promise<{ status: number; body: Record<string, unknown> }> {
  const response = await fetch(`${site.url}/auth/v1/token?grant_type=${type}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-supabase-api-version': '2024-01-01' },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

test('Signing up and signing in each return a session', async () => {
  const { email, user, session } = await signUp();
  expect(user).toMatchObject({ email, phone: '', role: 'authenticated', aud: 'authenticated', is_anonymous: false });
  const claims = { sub: user.id, email, email_verified: true, phone_verified: false };
  expect(user.user_metadata).toEqual({ role: 'client', ...claims });
  expect(user.identities?.[0]?.identity_data).toEqual(claims);
  expect(user.app_metadata).toEqual({ provider: 'email', providers: ['email'] });
  expect(user.identities).toMatchObject([{ id: user.id, user_id: user.id, provider: 'email', email }]);
  expect(user.identities?.[0]?.identity_id).not.toBe(user.id);
  expect(user.email_confirmed_at).toBeTruthy();
  expect(user).not.toHaveProperty('invited_at');

  const signIn = await newClient().auth.signInWithPassword({ email: email.toUpperCase(), password: PASSWORD });
  expect(signIn.error).toBeNull();
  expect(signIn.data.user?.id).toBe(user.id);
  expect(signIn.data.session?.access_token).not.toBe(session.access_token);
});

test('An access token has the claims that policies and the client read, and is signed with the published key', async () => {
  const { session, user, client } = await signUp();
  const claims = decodeJwt(session.access_token);
  expect(claims).toMatchObject({
    iss: `${site.url}/auth/v1`,
    sub: user.id,
    aud: 'authenticated',
    role: 'authenticated',
    email: user.email,
    phone: '',
    aal: 'aal1',
    is_anonymous: false,
    user_metadata: { role: 'client' },
    app_metadata: { provider: 'email' },
  });
  expect((claims.exp ?? 0) - (claims.iat ?? 0)).toBe(3600);
  // The session starts before its token is signed, which can be a second earlier.
  expect(claims['amr']).toEqual([{ method: 'password', timestamp: expect.closeTo(claims.iat ?? 0, -2) }]);
  expect(claims['session_id']).toMatch(/^[0-9a-f-]{36}$/);

  const response = await fetch(`${site.url}/auth/v1/.well-known/jwks.json`);
  expect(response.headers.get('cache-control')).toContain('max-age=600');
  const { keys } = (await response.json()) as { keys: Record<string, string>[] };
  expect(keys.map((key) => key['kid'])).toContain(decodeProtectedHeader(session.access_token).kid);
  expect(keys.every((key) => key['kty'] === 'EC' && !('d' in key))).toBe(true);

  const verification = await client.auth.getClaims();
  expect(verification.data?.claims.sub).toBe(user.id);
});

test('Wrong passwords and unknown addresses get the same error', async () => {
  const { email } = await signUp();
  const wrongPasswordResult = await newClient().auth.signInWithPassword({ email, password: 'Wrong-password-1' });
  const unknown = await newClient().auth.signInWithPassword({ email: newEmail(), password: 'Wrong-password-1' });
  expect(wrongPasswordResult.error).toMatchObject({
    status: 400,
    code: 'invalid_credentials',
    message: 'Invalid login credentials',
  });
  expect({ ...unknown.error }).toEqual({ ...wrongPasswordResult.error });
});

test('An address can sign up only once', async () => {
  const { email } = await signUp();
  const retry = await newClient().auth.signUp({ email: ` ${email.toUpperCase()}`, password: PASSWORD });
  expect(retry.error).toMatchObject({ status: 422, code: 'user_already_exists', message: 'User already registered' });
});

const ONE_OF_EACH =
  'Password should contain at least one character of each: ' +
  'abcdefghijklmnopqrstuvwxyz, ABCDEFGHIJKLMNOPQRSTUVWXYZ, 0123456789.';

test.each([
  ['Short-1', 'Password should be at least 8 characters.', ['length']],
  [`Aa1${'x'.repeat(126)}`, 'Password cannot be longer than 128 characters.', ['length']],
  ['lowercase-1', ONE_OF_EACH, ['characters']],
  ['UPPERCASE-1', ONE_OF_EACH, ['characters']],
  ['No-digits-here', ONE_OF_EACH, ['characters']],
  ['short', `Password should be at least 8 characters. ${ONE_OF_EACH}`, ['length', 'characters']],
])('The password %s is rejected: %s', async (password, message, reasons) => {
  const { error } = await newClient().auth.signUp({ email: newEmail(), password });
  expect(error).toMatchObject({ name: 'AuthWeakPasswordError', status: 422, code: 'weak_password', message, reasons });
});

test('A password of 128 characters works', async () => {
  const email = newEmail();
  const password = `Aa1${'x'.repeat(125)}`;
  expect((await newClient().auth.signUp({ email, password })).error).toBeNull();
  expect((await newClient().auth.signInWithPassword({ email, password })).error).toBeNull();
});

test('An invalid request is rejected with a code and a reason', async () => {
  const badJson = await fetch(`${site.url}/auth/v1/signup`, { method: 'POST', body: '{' });
  expect(badJson.status).toBe(400);
  expect(badJson.headers.get('x-sb-error-code')).toBe('bad_json');
  expect(await badJson.json()).toEqual({ code: 400, error_code: 'bad_json', msg: expect.any(String) });

  expect(await grant('nonsense', {})).toMatchObject({
    status: 400,
    body: { code: 'invalid_credentials', message: 'unsupported_grant_type' },
  });
  const invalidEmail = await newClient().auth.signUp({ email: 'not an address', password: PASSWORD });
  expect(invalidEmail.error).toMatchObject({ status: 400, code: 'validation_failed' });
  const missingPassword = await grant('password', { email: newEmail() });
  expect(missingPassword.body['code']).toBe('invalid_credentials');
  const unknownPath = await fetch(`${site.url}/auth/v1/nonsense`);
  expect(unknownPath.status).toBe(404);
  const nul = await newClient().auth.signUp({ email: newEmail(), password: PASSWORD, options: { data: { a: '\0' } } });
  expect(nul.error).toMatchObject({ status: 400, code: 'validation_failed' });
});

test('A disabled feature is rejected with the message of Supabase Auth', async () => {
  const client = newClient();
  const { client: signedIn } = await signUp();
  const anonymous = await client.auth.signInAnonymously();
  expect(anonymous.error).toMatchObject({ status: 422, code: 'anonymous_provider_disabled' });
  const phone = await client.auth.signInWithOtp({ phone: '+4712345678' });
  expect(phone.error).toMatchObject({ status: 400, code: 'phone_provider_disabled' });
  const sso = await client.auth.signInWithSSO({ domain: 'example.com' });
  expect(sso.error).toMatchObject({ status: 404, code: 'saml_provider_disabled' });
  const linking = await signedIn.auth.linkIdentity({ provider: 'github' });
  expect(linking.error).toMatchObject({ status: 404, code: 'manual_linking_disabled' });
  expect(await grant('web3', {})).toMatchObject({ status: 422, body: { code: 'web3_provider_disabled' } });
  expect(await grant('id_token', {})).toEqual({
    status: 400,
    body: { error: 'invalid request', error_description: expect.any(String) },
  });
});

test('Refreshing returns new tokens, and a retry after a lost response returns the same tokens', async () => {
  const { session, user } = await signUp();
  const first = await grant('refresh_token', { refresh_token: session.refresh_token });
  expect(first.status).toBe(200);
  expect(first.body).toMatchObject({ token_type: 'bearer', expires_in: 3600, user: { id: user.id } });
  expect(first.body['refresh_token']).not.toBe(session.refresh_token);
  expect(decodeJwt(String(first.body['access_token']))['session_id']).toBe(
    decodeJwt(session.access_token)['session_id'],
  );
  await site.backend.database.query(
    `update auth.refresh_tokens set updated_at = now() + interval '1 minute' where token = $1`,
    [session.refresh_token],
  );
  const retry = await grant('refresh_token', { refresh_token: session.refresh_token });
  expect(retry.body['refresh_token']).toBe(first.body['refresh_token']);

  const unknownToken = await grant('refresh_token', { refresh_token: 'never-issued' });
  expect(unknownToken).toMatchObject({ status: 400, body: { code: 'refresh_token_not_found' } });
});

test('Reusing a refresh token after ten seconds ends the session for everyone, including a thief', async () => {
  const { session, client } = await signUp();
  const stolenToken = session.refresh_token;
  const victim = await grant('refresh_token', { refresh_token: stolenToken });
  await site.backend.database.query(
    `update auth.refresh_tokens set updated_at = now() - interval '11 seconds' where token = $1`,
    [stolenToken],
  );
  const thief = await grant('refresh_token', { refresh_token: stolenToken });
  expect(thief).toMatchObject({ status: 400, body: { code: 'refresh_token_already_used' } });
  const next = await grant('refresh_token', { refresh_token: victim.body['refresh_token'] });
  expect(next).toMatchObject({ status: 400, body: { code: 'refresh_token_not_found' } });
  const user = await client.auth.getUser(session.access_token);
  expect(user.error?.name).toBe('AuthSessionMissingError');

  const bystander = await signUp();
  const refresh = await grant('refresh_token', { refresh_token: bystander.session.refresh_token });
  expect(refresh.status).toBe(200);
});

test('Ten concurrent refreshes return the same successor', async () => {
  const { session } = await signUp();
  const responses = await Promise.all(
    Array.from({ length: 10 }, () => grant('refresh_token', { refresh_token: session.refresh_token })),
  );
  expect(new Set(responses.map(({ body }) => body['refresh_token'])).size).toBe(1);
});

test('Signing out ends this session, the others, or all of them', async () => {
  const { email, client, session } = await signUp();
  const second = newClient();
  await second.auth.signInWithPassword({ email, password: PASSWORD });
  const thirdClient = newClient();
  await thirdClient.auth.signInWithPassword({ email, password: PASSWORD });
  const userError = async (client: SupabaseClient) => (await client.auth.getUser()).error?.name ?? null;

  await client.auth.signOut({ scope: 'local' });
  const signedOut = await newClient().auth.getUser(session.access_token);
  expect(signedOut.error?.name).toBe('AuthSessionMissingError');
  expect(await grant('refresh_token', { refresh_token: session.refresh_token })).toMatchObject({ status: 400 });
  expect(await userError(second)).toBeNull();

  await second.auth.signOut({ scope: 'others' });
  expect(await userError(thirdClient)).toBe('AuthSessionMissingError');
  expect(await userError(second)).toBeNull();

  const fourth = newClient();
  await fourth.auth.signInWithPassword({ email, password: PASSWORD });
  await second.auth.signOut({ scope: 'global' });
  expect(await userError(fourth)).toBe('AuthSessionMissingError');
});

test('A missing token returns 401, and an invalid token or the token of a deleted account returns 403', async () => {
  const getUser = async (authorization?: string) => {
    const response = await fetch(`${site.url}/auth/v1/user`, { headers: authorization ? { authorization } : {} });
    const body = (await response.json()) as { error_code: string };
    return [response.status, body.error_code];
  };
  const { session, user } = await signUp();
  expect(await getUser()).toEqual([401, 'no_authorization']);
  expect(await getUser('Bearer nonsense')).toEqual([403, 'bad_jwt']);
  expect(await getUser(`Bearer ${PUBLISHABLE_KEY}`)).toEqual([403, 'bad_jwt']);
  expect((await getUser(`Bearer ${session.access_token}`))[0]).toBe(200);
  await site.backend.database.query('delete from auth.users where id = $1', [user.id]);
  expect(await getUser(`Bearer ${session.access_token}`)).toEqual([403, 'user_not_found']);
});

test('Users can change their data and password, and the old password and other sessions stop working', async () => {
  const { email, client, user } = await signUp();
  const otherSession = newClient();
  await otherSession.auth.signInWithPassword({ email, password: PASSWORD });

  await client.auth.updateUser({ data: { name: 'Ada', note: 'x' } });
  const metadataUpdate = await client.auth.updateUser({ data: { note: null } });
  expect(metadataUpdate.data.user?.user_metadata).toEqual({ ...user.user_metadata, name: 'Ada' });

  const samePassword = await client.auth.updateUser({ password: PASSWORD });
  expect(samePassword.error).toMatchObject({ status: 422, code: 'same_password' });
  const weakPassword = await client.auth.updateUser({ password: 'weak' });
  expect(weakPassword.error).toMatchObject({ status: 422, code: 'weak_password' });

  const passwordChange = await client.auth.updateUser({ password: 'New-fjord-2026' });
  expect(passwordChange.error).toBeNull();
  expect((await otherSession.auth.getUser()).error?.name).toBe('AuthSessionMissingError');
  expect((await client.auth.getUser()).error).toBeNull();
  expect((await newClient().auth.signInWithPassword({ email, password: PASSWORD })).error?.code).toBe(
    'invalid_credentials',
  );
  expect((await newClient().auth.signInWithPassword({ email, password: 'New-fjord-2026' })).error).toBeNull();
});

test('The settings and health endpoints respond', async () => {
  const settings = await fetch(`${site.url}/auth/v1/settings`).then((response) => response.json());
  expect(settings).toMatchObject({ external: { email: true, phone: false }, mailer_autoconfirm: true });
  const health = await fetch(`${site.url}/auth/v1/health`);
  expect(health.status).toBe(200);
});

test('Expired refresh tokens are deleted, and valid ones are kept', async () => {
  const { database } = site.backend;
  const { session, user } = await signUp();
  await grant('refresh_token', { refresh_token: session.refresh_token });
  const countTokens = async () =>
    (await database.query('select from auth.refresh_tokens where user_id = $1', [user.id])).rowCount;
  await cleanUp(database);
  expect(await countTokens()).toBe(2);
  await database.query(`update auth.refresh_tokens set updated_at = now() - interval '31 days' where user_id = $1`, [
    user.id,
  ]);
  await cleanUp(database);
  expect(await countTokens()).toBe(1);
});

test('Sessions inactive for 400 days are deleted with their log entries, and others are kept', async () => {
  const { database } = site.backend;
  const [expiredSession, recentSession] = [await signUp(), await signUp()];
  const remaining = async ({ id }: { id: string }) => {
    const sessions = await database.query('select from auth.sessions where user_id = $1', [id]);
    const entries = await database.query(`select from auth.audit_log_entries where payload ->> 'actor_id' = $1`, [id]);
    return [sessions.rowCount > 0, entries.rowCount > 0];
  };
  for (const [{ user }, days] of [
    [expiredSession, 401],
    [recentSession, 399],
  ] as const) {
    const ago = `now() - interval '${days} days'`;
    await database.query(`update auth.sessions set created_at = ${ago}, refreshed_at = null where user_id = $1`, [
      user.id,
    ]);
    await database.query(`update auth.audit_log_entries set created_at = ${ago} where payload ->> 'actor_id' = $1`, [
      user.id,
    ]);
  }
  await cleanUp(database);
  expect(await remaining(expiredSession.user)).toEqual([false, false]);
  expect(await remaining(recentSession.user)).toEqual([true, true]);
});

test('Sign-ups, sign-ins, refreshes and sign-outs are in the audit log, in order and with the IP address', async () => {
  const { email, client, user, session } = await signUp();
  await newClient().auth.signInWithPassword({ email, password: PASSWORD });
  await grant('refresh_token', { refresh_token: session.refresh_token });
  await client.auth.signOut({ scope: 'local' });
  const { rows } = await site.backend.database.query<{ action: string; ip_address: string }>(
    `select payload ->> 'action' as action, ip_address from auth.audit_log_entries
     where payload ->> 'actor_id' = $1 order by created_at`,
    [user.id],
  );
  expect(rows.map(({ action }) => action)).toEqual(['user_signedup', 'login', 'login', 'token_refreshed', 'logout']);
  expect(new Set(rows.map(({ ip_address }) => ip_address))).toEqual(new Set(['127.0.0.1']));
});
