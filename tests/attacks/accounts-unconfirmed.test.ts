/**
 * Accounts that an attacker signs up with another person's email, on a site without email confirmation, and the data
 * that remains when the owner signs in. Rate limits are enabled, and each rejection has an allowed counterpart.
 */
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { deleteCredentials } from '../../packages/backend/src/auth/verified-addresses.ts';
import { parseConfig } from '../../packages/backend/src/config.ts';
import { PUBLISHABLE_KEY } from '../../packages/backend/src/http/keys.ts';
import { enrolTotp, newClient, totpCode } from '../../packages/backend/tests/support/factors.ts';
import { nextMail } from '../../packages/backend/tests/support/received-mails.ts';
import { addAdmin, ensureFirstAdmin, setPassword } from '../../server/first-admin.ts';
import { registerApplication } from '../support/oauth-client.ts';
import { startOpenIdProvider, type TestProvider } from '../support/openid-provider.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';

const PASSWORD = 'Stranger-2026-x';
const NEW_PASSWORD = 'Owner-2026-signal';

let acme: TestProvider;
let site: TestBackend;
beforeAll(async () => {
  acme = await startOpenIdProvider('acme', { claimsInIdToken: true });
  site = await startTestBackend({
    RATE_LIMITS: 'on',
    AUTH_PHONE: 'on',
    AUTH_ANONYMOUS: 'on',
    AUTH_MANUAL_LINKING: 'on',
    AUTH_OAUTH_SERVER: 'on',
    AUTH_PROVIDERS: JSON.stringify([acme.settings]),
  });
});
afterAll(async () => {
  await site.close();
  await acme.close();
});

const newEmail = () => `person-${crypto.randomUUID().slice(0, 8)}@example.com`;
let networkCount = 0;
/** Creates an official client for a separate browser, with an unused IP address. */
function newBrowser(options: { token?: string; flowType?: 'pkce' } = {}): SupabaseClient {
  const headers = {
    'x-forwarded-for': `198.51.100.${networkCount++}`,
    ...(options.token ? { Authorization: `Bearer ${options.token}` } : {}),
  };
  const storage = new Map<string, string>();
  return createClient(site.url, PUBLISHABLE_KEY, {
    global: { headers },
    auth: {
      autoRefreshToken: false,
      flowType: options.flowType ?? 'implicit',
      storageKey: crypto.randomUUID(),
      storage: {
        getItem: (key) => storage.get(key) ?? null,
        setItem: (key, value) => void storage.set(key, value),
        removeItem: (key) => void storage.delete(key),
      },
    },
  });
}

async function signUp(email = newEmail(), browser = newBrowser()) {
  const { data, error } = await browser.auth.signUp({
    email,
    password: PASSWORD,
    options: { data: { name: 'Stranger' } },
  });
  if (error || !data.session || !data.user) throw error ?? new Error('no session');
  return { email, client: browser, id: data.user.id, token: data.session.access_token, session: data.session };
}

/** Follows a link and returns its redirect URL. */
async function openLink(link: string): Promise<{ code: string; fragment: Record<string, string> }> {
  const response = await fetch(link, { redirect: 'manual', headers: { 'x-forwarded-for': '203.0.113.9' } });
  const url = new URL(response.headers.get('location') ?? '');
  return {
    code: url.searchParams.get('code') ?? '',
    fragment: Object.fromEntries(new URLSearchParams(url.hash.slice(1))),
  };
}

/** Signs the owner in with the recovery email, in a separate browser. */
async function recover(email: string, number = 1): Promise<SupabaseClient> {
  await newBrowser().auth.resetPasswordForEmail(email);
  const { fragment } = await openLink((await nextMail(site.dataFolder, email, number)).link);
  const owner = newBrowser();
  const { error } = await owner.auth.setSession({
    access_token: fragment['access_token'] ?? '',
    refresh_token: fragment['refresh_token'] ?? '',
  });
  if (error) throw error;
  return owner;
}

const readError = ({ error }: { error: { code?: unknown; status?: unknown } | null }) =>
  error && [error.status, error.code];
const readSignInError = async (email: string, password: string) =>
  readError(await newBrowser().auth.signInWithPassword({ email, password }));
const isSignedOut = async (token = '') => readError(await newBrowser().auth.getUser(token)) !== null;

async function isConfirmed(id: string): Promise<boolean> {
  const { rows } = await site.backend.database.query<{ is_verified: boolean }>(
    'select private.has_verified_address($1) as is_verified',
    [id],
  );
  return rows[0]?.is_verified === true;
}

async function readCredentials(id: string) {
  const { rows } = await site.backend.database.query(
    `select (select count(*)::int from auth.mfa_factors where user_id = $1) as factors,
       (select count(*)::int from auth.webauthn_credentials where user_id = $1) as passkeys,
       (select count(*)::int from auth.oauth_consents where user_id = $1) as applications,
       (select array_agg(provider order by provider) from auth.identities where user_id = $1) as identities`,
    [id],
  );
  return rows[0];
}

/** Inserts credentials that an account may have from before email confirmation existed. */
async function insertCredentials(id: string): Promise<void> {
  const { client } = await registerApplication(site);
  await site.backend.database.query(
    `with factor as (
      insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status, secret, created_at, updated_at)
      values (gen_random_uuid(), $1, 'Stranger', 'totp', 'verified', 'JBSWY3DPEHPK3PXP', now(), now())
    ), passkey as (
      insert into auth.webauthn_credentials (user_id, credential_id, public_key) values ($1, convert_to($1::text, 'utf8'), 'key')
    ), identity as (
      insert into auth.identities (provider_id, user_id, identity_data, provider, created_at, updated_at)
      values ('stranger-' || $1, $1, '{}', 'custom:acme', now(), now())
    )
    insert into auth.oauth_consents (id, user_id, client_id, scopes) values (gen_random_uuid(), $1, $2, 'openid')`,
    [id, client.client_id],
  );
}

describe('Before the address is confirmed', () => {
  test('Factors, passkeys, identities and applications can be added, as in Supabase Auth', async () => {
    const { client, id, token } = await signUp();
    const application = await registerApplication(site);
    expect({
      totp: readError(await client.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'App' })),
      phone: readError(
        await client.auth.mfa.enroll({ factorType: 'phone', phone: '+4790000001', friendlyName: 'Phone' }),
      ),
      key: readError(await client.auth.mfa.enroll({ factorType: 'webauthn', friendlyName: 'Key' })),
      passkey: await passkeyOptions(token),
      identity: readError(
        await client.auth.linkIdentity({ provider: 'custom:acme', options: { skipBrowserRedirect: true } }),
      ),
      application: readError(await client.auth.oauth.approveAuthorization((await application.begin()).authorizationId)),
    }).toEqual({ totp: null, phone: null, key: null, passkey: 200, identity: null, application: null });
    expect(await readCredentials(id)).toEqual({ factors: 3, passkeys: 0, applications: 1, identities: ['email'] });
    expect(await isConfirmed(id)).toBe(false);
  });

  const passkeyOptions = async (token: string) =>
    (
      await fetch(`${site.url}/auth/v1/passkeys/registration/options`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'x-forwarded-for': '203.0.113.10' },
      })
    ).status;

  test('A verified factor of an attacker is deleted when the owner opens the first email', async () => {
    const attacker = await signUp();
    await enrolTotp(attacker.client);
    const owner = await recover(attacker.email);
    expect(await readCredentials(attacker.id)).toMatchObject({ factors: 0 });
    expect(readError(await owner.auth.updateUser({ password: NEW_PASSWORD }))).toBeNull();
    expect(await isSignedOut(attacker.token)).toBe(true);
  });

  test('The session that signed up keeps the factors that it added', async () => {
    const { client, email, id } = await signUp();
    await enrolTotp(client);
    const token = (await client.auth.getSession()).data.session?.access_token ?? '';
    await confirmInSession(email, token);
    expect(await isConfirmed(id)).toBe(true);
    expect(await readCredentials(id)).toMatchObject({ factors: 1 });
    expect(readError(await client.auth.getUser())).toBeNull();
  });

  test('A concurrent request of the attacker adds nothing while the owner opens the email', async () => {
    const attacker = await signUp();
    const { data: factor } = await attacker.client.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'Begun' });
    const factorId = factor?.id ?? '';
    const { data: challenge } = await attacker.client.auth.mfa.challenge({ factorId });
    const { authorizationId } = await (await registerApplication(site)).begin();
    const requests: Promise<unknown>[] = [];
    await site.backend.database.transaction(async (tx) => {
      await tx.query('select from auth.users where id = $1 for update', [attacker.id]);
      requests.push(
        attacker.client.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'Late' }).then(readError),
        attacker.client.auth.mfa
          .verify({
            factorId,
            challengeId: challenge?.id ?? '',
            code: totpCode(factor?.type === 'totp' ? factor.totp.secret : ''),
          })
          .then(readError),
        attacker.client.auth.oauth.approveAuthorization(authorizationId).then(readError),
      );
      await deleteCredentials(tx, attacker.id, attacker.email);
    });
    for (const outcome of await Promise.all(requests)) expect(outcome).not.toBeNull();
    expect(await readCredentials(attacker.id)).toEqual({
      factors: 0,
      passkeys: 0,
      applications: 0,
      identities: ['email'],
    });
  });

  /** Enters the emailed code on the page where the user signed up. */
  async function confirmInSession(email: string, token: string) {
    const browser = newBrowser({ token });
    await browser.auth.signInWithOtp({ email, options: { shouldCreateUser: false } });
    const { code } = await nextMail(site.dataFolder, email);
    const { error } = await browser.auth.verifyOtp({ type: 'email', email, token: code });
    if (error) throw error;
  }
});

describe('The first emailed link or code', () => {
  test("The recovery email gives the account to the owner without the attacker's credentials, and the owner can set a password", async () => {
    const attacker = await signUp();
    await insertCredentials(attacker.id);
    const owner = await recover(attacker.email);
    expect(readError(await owner.auth.updateUser({ password: NEW_PASSWORD }))).toBeNull();
    expect(await readCredentials(attacker.id)).toEqual({
      factors: 0,
      passkeys: 0,
      applications: 0,
      identities: ['email'],
    });
    const { data } = await owner.auth.getUser();
    expect(data.user?.user_metadata['name']).toBeUndefined();
    expect(data.user?.app_metadata).toMatchObject({
      provider: 'email',
      providers: ['email'],
      setup_dropped: { what: ['password', 'identities', 'factors', 'passkeys', 'applications', 'sessions'] },
    });
    // All credentials of the attacker are invalid.
    expect(await readSignInError(attacker.email, PASSWORD)).toEqual([400, 'invalid_credentials']);
    expect(readError(await attacker.client.auth.refreshSession())).toEqual([400, 'refresh_token_not_found']);
    expect(await isSignedOut(attacker.token)).toBe(true);
    const attackerClient = newBrowser({ token: attacker.token });
    expect((await attackerClient.rpc('my_sessions')).data).toEqual([]);
    // The credentials of the owner are valid.
    expect(await readSignInError(attacker.email, NEW_PASSWORD)).toBeNull();
    await enrolTotp(owner);
    expect(readError(await owner.rpc('delete_my_account'))).toBeNull();
  });

  test('Opening a second email deletes no credentials', async () => {
    const { email } = await signUp();
    const owner = await recover(email);
    await owner.auth.updateUser({ password: NEW_PASSWORD });
    const client = newClient(site.url);
    await recover(email, 2);
    expect(readError(await client.auth.signInWithPassword({ email, password: NEW_PASSWORD }))).toBeNull();
  });

  test("A typed code and an admin's link also delete the attacker's credentials", async () => {
    for (const signIn of [
      async (email: string) => {
        await newBrowser().auth.signInWithOtp({ email });
        const { code } = await nextMail(site.dataFolder, email);
        return newBrowser().auth.verifyOtp({ type: 'email', email, token: code });
      },
      async (email: string) => {
        const { data } = await site.service.auth.admin.generateLink({ type: 'magiclink', email });
        return newBrowser().auth.verifyOtp({ type: 'magiclink', token_hash: data.properties?.hashed_token ?? '' });
      },
    ]) {
      const attacker = await signUp();
      expect(readError(await signIn(attacker.email))).toBeNull();
      expect(await readSignInError(attacker.email, PASSWORD)).not.toBeNull();
      expect(await isSignedOut(attacker.token)).toBe(true);
    }
  });

  test("A link with the owner's code challenge also deletes the credentials, and signs in only the owner's browser", async () => {
    const attacker = await signUp();
    const browser = newBrowser({ flowType: 'pkce' });
    await browser.auth.resetPasswordForEmail(attacker.email);
    const { code } = await openLink((await nextMail(site.dataFolder, attacker.email)).link);
    expect(readError(await browser.auth.exchangeCodeForSession(code))).toBeNull();
    expect(readError(await browser.auth.updateUser({ password: NEW_PASSWORD }))).toBeNull();
    expect(await readSignInError(attacker.email, PASSWORD)).not.toBeNull();
  });

  test("A link with the attacker's code challenge confirms nothing, and the owner's next email deletes the credentials", async () => {
    const attacker = await signUp();
    const browser = newBrowser({ token: attacker.token, flowType: 'pkce' });
    await browser.auth.signInWithOtp({ email: attacker.email });
    const { code } = await openLink((await nextMail(site.dataFolder, attacker.email)).link);
    expect(code).not.toBe('');
    expect(await isConfirmed(attacker.id)).toBe(false);
    expect(readError(await newBrowser({ flowType: 'pkce' }).auth.exchangeCodeForSession(code))).not.toBeNull();
    const owner = await recover(attacker.email, 2);
    expect(readError(await owner.auth.updateUser({ password: NEW_PASSWORD }))).toBeNull();
    expect(await isSignedOut(attacker.token)).toBe(true);
  });

  test('Confirmation in another session with the same password deletes the credentials', async () => {
    const attacker = await signUp();
    const otherSession = await newBrowser().auth.signInWithPassword({ email: attacker.email, password: PASSWORD });
    const browser = newBrowser({ token: otherSession.data.session?.access_token ?? '' });
    await browser.auth.signInWithOtp({ email: attacker.email });
    const { code } = await nextMail(site.dataFolder, attacker.email);
    await browser.auth.verifyOtp({ type: 'email', email: attacker.email, token: code });
    expect(await readSignInError(attacker.email, PASSWORD)).not.toBeNull();
  });
});

describe('Confirmation in the session that signed up', () => {
  test('A typed code keeps all credentials', async () => {
    const { email, token, client } = await signUp();
    const browser = newBrowser({ token });
    await browser.auth.signInWithOtp({ email });
    const { code } = await nextMail(site.dataFolder, email);
    const { data } = await browser.auth.verifyOtp({ type: 'email', email, token: code });
    expect(data.user?.app_metadata['setup_dropped']).toBeUndefined();
    expect(data.user?.user_metadata['name']).toBe('Stranger');
    expect(readError(await client.auth.getUser())).toBeNull();
    expect(await readSignInError(email, PASSWORD)).toBeNull();
    await enrolTotp(client);
  });

  test('A link that this browser requested keeps all credentials', async () => {
    const { email, token } = await signUp();
    const browser = newBrowser({ token, flowType: 'pkce' });
    await browser.auth.signInWithOtp({ email });
    const { code } = await openLink((await nextMail(site.dataFolder, email)).link);
    expect(readError(await browser.auth.exchangeCodeForSession(code))).toBeNull();
    expect(await readSignInError(email, PASSWORD)).toBeNull();
    expect(await isSignedOut(token)).toBe(false);
  });

  test('A code from GET /reauthenticate keeps all credentials', async () => {
    const { email, client } = await signUp();
    await client.auth.reauthenticate();
    const { code } = await nextMail(site.dataFolder, email);
    expect(readError(await client.auth.updateUser({ password: NEW_PASSWORD, nonce: code }))).toBeNull();
    expect(readError(await client.auth.mfa.enroll({ factorType: 'totp' }))).toBeNull();
  });
});

describe('Other ways to claim an email address', () => {
  test('An anonymous account that adds an email is unconfirmed, and the owner of the email takes it over without its credentials', async () => {
    const attacker = newBrowser();
    const { data } = await attacker.auth.signInAnonymously();
    const email = newEmail();
    await attacker.auth.updateUser({ email, password: PASSWORD });
    await enrolTotp(attacker);
    const owner = await recover(email);
    expect((await owner.auth.getUser()).data.user?.id).toBe(data.user?.id);
    expect(await readCredentials(data.user?.id ?? '')).toMatchObject({ factors: 0 });
    expect(await readSignInError(email, PASSWORD)).not.toBeNull();
    expect(await isSignedOut(data.session?.access_token ?? '')).toBe(true);
  });

  test('An email change confirms only the new address, and deletes the earlier credentials', async () => {
    const attacker = await signUp();
    const claimedEmail = newEmail();
    await attacker.client.auth.updateUser({ email: claimedEmail });
    await openLink((await nextMail(site.dataFolder, attacker.email)).link);
    expect(await isConfirmed(attacker.id)).toBe(false);
    const { fragment } = await openLink((await nextMail(site.dataFolder, claimedEmail)).link);
    expect(fragment).toHaveProperty('access_token');
    expect(await readSignInError(claimedEmail, PASSWORD)).not.toBeNull();
    // The first address is available again.
    await signUp(attacker.email);
  });

  test('A user who changes a confirmed address keeps the password and the factors', async () => {
    const { email } = await signUp();
    const owner = await recover(email);
    await owner.auth.updateUser({ password: NEW_PASSWORD });
    const newAddress = newEmail();
    await owner.auth.updateUser({ email: newAddress });
    await openLink((await nextMail(site.dataFolder, newAddress)).link);
    await openLink((await nextMail(site.dataFolder, email, 2)).link);
    expect(await readSignInError(newAddress, NEW_PASSWORD)).toBeNull();
    await recover(newAddress, 2);
    expect(await readSignInError(newAddress, NEW_PASSWORD)).toBeNull();
  });

  test('A phone number that the attacker added is deleted as well', async () => {
    const attacker = await signUp();
    const phone = `4790${Math.random().toString().slice(2, 8)}`;
    await site.backend.database.query('update auth.users set phone = $2, phone_confirmed_at = now() where id = $1', [
      attacker.id,
      phone,
    ]);
    const owner = await recover(attacker.email);
    const { data } = await owner.auth.getUser();
    expect(data.user).toMatchObject({ email: attacker.email, phone: '' });
    expect(data.user?.app_metadata['setup_dropped']).toMatchObject({ what: ['password', 'phone', 'sessions'] });
  });
});

describe('Server administrators', () => {
  test('Creating an admin by email resets an account whose address is not confirmed', async () => {
    const { database } = site.backend;
    const attacker = await signUp();
    await insertCredentials(attacker.id);
    const admin = await addAdmin(database, attacker.email);
    expect(admin.password).not.toBeNull();
    expect(await isSignedOut(attacker.token)).toBe(true);
    expect(await readSignInError(attacker.email, PASSWORD)).not.toBeNull();
    const password = admin.password ?? '';
    expect(await readSignInError(attacker.email, password)).toBeNull();
    expect(await readCredentials(attacker.id)).toMatchObject({ factors: 0, passkeys: 0, applications: 0 });
    const { email } = await signUp();
    const owner = await recover(email);
    expect((await addAdmin(database, email)).password).toBeNull();
    expect(readError(await owner.auth.getUser())).toBeNull();
  });

  test("A password from the command line deletes an attacker's credentials and confirms the address", async () => {
    const attacker = await signUp();
    await insertCredentials(attacker.id);
    await setPassword(site.backend.database, attacker.email, NEW_PASSWORD);
    expect(await readCredentials(attacker.id)).toMatchObject({ factors: 0, passkeys: 0, applications: 0 });
    const owner = newBrowser();
    expect(
      readError(await owner.auth.signInWithPassword({ email: attacker.email, password: NEW_PASSWORD })),
    ).toBeNull();
    await enrolTotp(owner);
  });

  test('Creating the first admin takes over the account from its previous user', async () => {
    const attacker = await signUp();
    await insertCredentials(attacker.id);
    const { database } = site.backend;
    const config = parseConfig({ ADMIN_EMAIL: attacker.email, ADMIN_PASSWORD: NEW_PASSWORD });
    await database.query(`update public.user_roles set approved = false where role = 'admin'`);
    await ensureFirstAdmin(database, config);
    expect(await readCredentials(attacker.id)).toMatchObject({ factors: 0, passkeys: 0, applications: 0 });
    expect(await readSignInError(attacker.email, NEW_PASSWORD)).toBeNull();
  });
});
