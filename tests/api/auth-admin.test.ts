import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseConfig } from '../../packages/backend/src/config.ts';
import { PUBLISHABLE_KEY } from '../../packages/backend/src/http/keys.ts';
import { addAdmin, ensureFirstAdmin, listAdmins, removeAdmin } from '../../server/first-admin.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';

const PASSWORD = 'Fjord-2026-signal';

let site: TestBackend;
beforeAll(async () => {
  site = await startTestBackend();
});
afterAll(() => site.close());

const newEmail = () => `person-${crypto.randomUUID().slice(0, 8)}@example.com`;

function newClient(): SupabaseClient {
  const auth = { persistSession: false, autoRefreshToken: false, storageKey: crypto.randomUUID() };
  return createClient(site.url, PUBLISHABLE_KEY, { auth });
}

async function create(attributes: object = {}) {
  const { data, error } = await site.service.auth.admin.createUser({
    email: newEmail(),
    password: PASSWORD,
    email_confirm: true,
    ...attributes,
  });
  if (error) throw error;
  return { id: data.user.id, email: data.user.email ?? '' };
}

const signIn = (email: string, password = PASSWORD) => newClient().auth.signInWithPassword({ email, password });

test('The service role creates an account that can sign in immediately', async () => {
  const { email } = await create({ user_metadata: { name: 'Ada' }, app_metadata: { plan: 'pro' } });
  const { data, error } = await signIn(email);
  expect(error).toBeNull();
  expect(data.user).toMatchObject({
    user_metadata: { name: 'Ada' },
    app_metadata: { plan: 'pro', provider: 'email', providers: ['email'] },
  });

  const duplicate = await site.service.auth.admin.createUser({ email, password: PASSWORD });
  expect(duplicate.error).toMatchObject({ status: 422, code: 'email_exists' });
  const empty = await site.service.auth.admin.createUser({});
  expect(empty.error).toMatchObject({ status: 400, code: 'validation_failed' });
});

test('An account created by the service role has exactly the metadata that was passed', async () => {
  const { admin } = site.service.auth;
  const user_metadata = { profile_image: 'https://example.com/a.png' };
  const created = await admin.createUser({ email: newEmail(), password: PASSWORD, user_metadata });
  expect(created.data.user?.user_metadata).toEqual(user_metadata);
  const id = created.data.user?.id ?? '';
  const updateResult = await admin.updateUserById(id, {
    email: newEmail(),
    user_metadata: { favorite_color: 'yellow' },
  });
  expect(updateResult.data.user?.user_metadata).toEqual({ ...user_metadata, favorite_color: 'yellow' });
  const confirmed = await admin.createUser({ email: newEmail(), user_metadata, email_confirm: true });
  expect(confirmed.data.user?.user_metadata).toEqual({ ...user_metadata, email_verified: true });
  const options = { data: { status: 'alpha' } };
  const link = await admin.generateLink({ type: 'signup', email: newEmail(), password: PASSWORD, options });
  expect(link.data.user?.user_metadata).toEqual(options.data);
});

test('An unconfirmed account cannot sign in until it is confirmed', async () => {
  const { id, email } = await create({ email_confirm: false });
  expect((await signIn(email)).error).toMatchObject({ status: 400, code: 'email_not_confirmed' });
  await site.service.auth.admin.updateUserById(id, { email_confirm: true });
  expect((await signIn(email)).error).toBeNull();
});

test('An account with an imported password hash signs in with its password', async () => {
  const { rows } = await site.backend.database.query<{ encrypted_password: string }>(
    'select encrypted_password from auth.users where id = $1',
    [(await create()).id],
  );
  const { email } = await create({ password: undefined, password_hash: rows[0]?.encrypted_password });
  expect((await signIn(email)).error).toBeNull();
});

test('Accounts are listed in pages, with a total and pagination links', async () => {
  for (let n = 0; n < 3; n++) await create();
  const { rows } = await site.backend.database.query<{ n: number }>('select count(*) as n from auth.users');
  const total = rows[0]?.n ?? 0;
  const { data, error } = await site.service.auth.admin.listUsers({ page: 1, perPage: 2 });
  expect(error).toBeNull();
  expect(data.users).toHaveLength(2);
  expect(data).toMatchObject({ total, nextPage: 2, lastPage: Math.ceil(total / 2), aud: 'authenticated' });
  const lastPage = await site.service.auth.admin.listUsers({ page: Math.ceil(total / 2), perPage: 2 });
  expect(lastPage.data).toMatchObject({ nextPage: null });
});

test('An account is read and changed by its id', async () => {
  const { id, email } = await create();
  const { data } = await site.service.auth.admin.getUserById(id);
  expect(data.user).toMatchObject({ id, email });
  const newAddress = newEmail();
  const updateResult = await site.service.auth.admin.updateUserById(id, {
    email: newAddress,
    user_metadata: { name: 'Bo' },
  });
  expect(updateResult.data.user).toMatchObject({ email: newAddress, user_metadata: { name: 'Bo' } });
  expect(updateResult.data.user?.identities?.[0]?.identity_data).toMatchObject({ email: newAddress });

  const duplicate = await site.service.auth.admin.updateUserById(id, { email: (await create()).email });
  expect(duplicate.error).toMatchObject({ status: 422, code: 'email_exists' });
  const unknown = await site.service.auth.admin.getUserById(crypto.randomUUID());
  expect(unknown.error).toMatchObject({ status: 404, code: 'user_not_found' });
});

test("A password change or a ban by the service role ends the account's sessions", async () => {
  const { id, email } = await create();
  const client = newClient();
  await client.auth.signInWithPassword({ email, password: PASSWORD });
  await site.service.auth.admin.updateUserById(id, { password: 'Another-fjord-1' });
  expect((await client.auth.getUser()).error?.name).toBe('AuthSessionMissingError');

  const { data } = await signIn(email, 'Another-fjord-1');
  await site.service.auth.admin.updateUserById(id, { ban_duration: '1h30m' });
  expect((await newClient().auth.getUser(data.session?.access_token)).error?.name).toBe('AuthSessionMissingError');
  expect((await signIn(email, 'Another-fjord-1')).error).toMatchObject({ status: 400, code: 'user_banned' });
  const invalidDuration = await site.service.auth.admin.updateUserById(id, { ban_duration: 'a while' });
  expect(invalidDuration.error).toMatchObject({ status: 400, code: 'validation_failed' });
  await site.service.auth.admin.updateUserById(id, { ban_duration: 'none' });
  expect((await signIn(email, 'Another-fjord-1')).error).toBeNull();
});

test('A deleted account no longer exists, and its email address can be used again', async () => {
  const { id, email } = await create();
  expect((await site.service.auth.admin.deleteUser(id)).error).toBeNull();
  expect((await signIn(email)).error?.code).toBe('invalid_credentials');
  expect((await site.service.auth.admin.getUserById(id)).error?.code).toBe('user_not_found');
  await create({ email });
});

test('A soft-deleted account keeps its row, without personal data', async () => {
  const { id, email } = await create({ user_metadata: { name: 'Ada' } });
  await site.service.auth.admin.deleteUser(id, true);
  const { data } = await site.service.auth.admin.getUserById(id);
  expect(data.user).toMatchObject({ user_metadata: {}, identities: [], deleted_at: expect.any(String) });
  expect(JSON.stringify(data.user)).not.toContain(email);
  expect((await signIn(email)).error?.code).toBe('invalid_credentials');
});

test('The service role can sign a user out with their access token', async () => {
  const { email } = await create();
  const { data } = await signIn(email);
  const token = data.session?.access_token ?? '';
  expect((await site.service.auth.admin.signOut(token)).error).toBeNull();
  expect((await newClient().auth.getUser(token)).error?.name).toBe('AuthSessionMissingError');
});

test('Links generated by the service role work like emailed links', async () => {
  const email = newEmail();
  const generated = await site.service.auth.admin.generateLink({ type: 'signup', email, password: PASSWORD });
  expect(generated.error).toBeNull();
  expect(generated.data.user).toMatchObject({ email });
  expect(generated.data.properties).toMatchObject({
    verification_type: 'signup',
    email_otp: expect.stringMatching(/^\d{6}$/),
    redirect_to: `${site.url}/`,
  });
  const response = await fetch(generated.data.properties?.action_link ?? '', { redirect: 'manual' });
  expect(response.status).toBe(303);
  expect(response.headers.get('location')).toMatch(new RegExp(`^${site.url}/#access_token=.*type=signup`));
  expect((await signIn(email)).error).toBeNull();

  const recovery = await site.service.auth.admin.generateLink({ type: 'recovery', email });
  const token_hash = recovery.data.properties?.hashed_token ?? '';
  const verification = await newClient().auth.verifyOtp({ type: 'recovery', token_hash });
  expect(verification.data.user?.email).toBe(email);

  const unknown = await site.service.auth.admin.generateLink({ type: 'recovery', email: newEmail() });
  expect(unknown.error).toMatchObject({ status: 404, code: 'user_not_found' });
});

test.each([
  ['A caller without a key', undefined, 401, 'no_authorization'],
  ['A visitor', 'visitor', 403, 'not_admin'],
  ['A client', 'client', 403, 'not_admin'],
  ['An admin of the site', 'admin', 403, 'not_admin'],
] as const)('%s cannot call an admin endpoint', async (_title, role, status, code) => {
  const { id } = await create();
  const token = role === 'visitor' ? PUBLISHABLE_KEY : role && (await site.signedIn(role)).token;
  const attempt = async (method: string, path: string) => {
    const response = await fetch(`${site.url}/auth/v1${path}`, {
      method,
      headers: token ? { authorization: `Bearer ${token}` } : {},
      ...(method === 'GET'
        ? {}
        : { body: JSON.stringify({ email: newEmail(), password: PASSWORD, type: 'magiclink' }) }),
    });
    return [response.status, response.headers.get('x-sb-error-code')];
  };
  expect(await attempt('GET', '/admin/users')).toEqual([status, code]);
  expect(await attempt('POST', '/admin/users')).toEqual([status, code]);
  for (const method of ['GET', 'PUT', 'DELETE']) {
    expect(await attempt(method, `/admin/users/${id}`)).toEqual([status, code]);
  }
  expect(await attempt('POST', '/admin/generate_link')).toEqual([status, code]);
  expect(await attempt('POST', '/invite')).toEqual([status, code]);
  expect((await site.service.auth.admin.getUserById(id)).data.user?.id).toBe(id);
});

describe('Admins of the site', () => {
  test('The first admin is created from the environment only once', async () => {
    const { database } = site.backend;
    await database.query(`delete from public.user_roles where role = 'admin'`);
    const ADMIN_EMAIL = newEmail();
    const config = parseConfig({ ADMIN_EMAIL, ADMIN_PASSWORD: PASSWORD });
    expect(await ensureFirstAdmin(database, config)).toEqual({ email: ADMIN_EMAIL, password: null });
    expect(await ensureFirstAdmin(database, config)).toBeNull();
    expect((await listAdmins(database)).map(({ email }) => email)).toEqual([ADMIN_EMAIL]);
    expect((await signIn(ADMIN_EMAIL)).error).toBeNull();
  });

  test('Without a password in the environment, a random password is created and returned', async () => {
    const { database } = site.backend;
    await database.query(`delete from public.user_roles where role = 'admin'`);
    const created = await ensureFirstAdmin(database, parseConfig({}));
    expect(created?.password).toHaveLength(16);
    expect((await signIn(created?.email ?? '', created?.password ?? '')).error).toBeNull();
  });

  test('No admin is created if the password cannot be saved', async () => {
    const { database } = site.backend;
    await database.query(`delete from public.user_roles where role = 'admin'`);
    const failToSave = () => Promise.reject(new Error('no space left'));
    await expect(ensureFirstAdmin(database, parseConfig({}), failToSave)).rejects.toThrow('no space left');
    expect(await listAdmins(database)).toEqual([]);
  });

  test('Creating the first admin locks out a user who had registered the same email address', async () => {
    const { database } = site.backend;
    await database.query(`delete from public.user_roles where role = 'admin'`);
    const { email } = await create({ password: 'Early-bird-1' });
    const earlySession = await signIn(email, 'Early-bird-1');
    await ensureFirstAdmin(database, parseConfig({ ADMIN_EMAIL: email, ADMIN_PASSWORD: PASSWORD }));
    expect((await signIn(email, 'Early-bird-1')).error?.code).toBe('invalid_credentials');
    expect((await newClient().auth.getUser(earlySession.data.session?.access_token)).error).not.toBeNull();
    expect((await signIn(email)).error).toBeNull();
  });

  test('The command line adds and removes admins', async () => {
    const { database } = site.backend;
    const email = newEmail();
    const newAdmin = await addAdmin(database, email);
    expect((await signIn(email, newAdmin.password ?? '')).error).toBeNull();
    expect((await addAdmin(database, email)).password).toBeNull();
    expect((await listAdmins(database)).map((admin) => admin.email)).toContain(email);
    expect(await removeAdmin(database, email)).toBe(true);
    expect(await removeAdmin(database, email)).toBe(false);
  });
});
