/**
 * Accounts that an attacker signs up with another person's email, on a site without email confirmation, and the data
 * that remains when the owner signs in. Limits are on, and each rejection has an allowed counterpart.
 */
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { deleteCredentials } from '../../packages/backend/src/auth/address-proof.ts';
import { parseConfig } from '../../packages/backend/src/config.ts';
import { PUBLISHABLE_KEY } from '../../packages/backend/src/http/keys.ts';
import { enrolTotp, newClient, totpCode } from '../../packages/backend/tests/support/factors.ts';
import { nextMail } from '../../packages/backend/tests/support/received-mails.ts';
import { addAdmin, ensureFirstAdmin, setPassword } from '../../server/first-admin.ts';
import { addApplication } from '../support/oauth-client.ts';
import { startOpenIdProvider, type TestProvider } from '../support/openid-provider.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';

const PASSWORD = 'Stranger-2026-x';
const CHOSEN = 'Owner-2026-signal';

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
let nextNetwork = 0;
/** Opens the official client in a separate browser with an unused IP address. */
function newBrowser(options: { token?: string; flowType?: 'pkce' } = {}): SupabaseClient {
  const headers = {
    'x-forwarded-for': `198.51.100.${nextNetwork++}`,
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
async function click(link: string): Promise<{ code: string; fragment: Record<string, string> }> {
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
  const { fragment } = await click((await nextMail(site.dataFolder, email, number)).link);
  const owner = newBrowser();
  const { error } = await owner.auth.setSession({
    access_token: fragment['access_token'] ?? '',
    refresh_token: fragment['refresh_token'] ?? '',
  });
  if (error) throw error;
  return owner;
}

const errorOf = ({ error }: { error: { code?: unknown; status?: unknown } | null }) =>
  error && [error.status, error.code];
const isSignedOut = async (token = '') => errorOf(await newBrowser().auth.getUser(token)) !== null;

async function isConfirmed(id: string): Promise<boolean> {
  const { rows } = await site.backend.database.query<{ is_proven: boolean }>(
    'select private.has_proven_address($1) as is_proven',
    [id],
  );
  return rows[0]?.is_proven === true;
}

async function tables(id: string) {
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
  const { client } = await addApplication(site);
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
    const application = await addApplication(site);
    expect({
      totp: errorOf(await client.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'App' })),
      phone: errorOf(
        await client.auth.mfa.enroll({ factorType: 'phone', phone: '+4790000001', friendlyName: 'Phone' }),
      ),
      key: errorOf(await client.auth.mfa.enroll({ factorType: 'webauthn', friendlyName: 'Key' })),
      passkey: await passkeyOptions(token),
      identity: errorOf(
        await client.auth.linkIdentity({ provider: 'custom:acme', options: { skipBrowserRedirect: true } }),
      ),
      application: errorOf(await client.auth.oauth.approveAuthorization((await application.begin()).authorizationId)),
    }).toEqual({ totp: null, phone: null, key: null, passkey: 200, identity: null, application: null });
    expect(await tables(id)).toEqual({ factors: 3, passkeys: 0, applications: 1, identities: ['email'] });
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
    const stranger = await signUp();
    await enrolTotp(stranger.client);
    const owner = await recover(stranger.email);
    expect(await tables(stranger.id)).toMatchObject({ factors: 0 });
    expect(errorOf(await owner.auth.updateUser({ password: CHOSEN }))).toBeNull();
    expect(await isSignedOut(stranger.token)).toBe(true);
  });

  test('The session that signed up keeps the factors that it added', async () => {
    const { client, email, id } = await signUp();
    await enrolTotp(client);
    const token = (await client.auth.getSession()).data.session?.access_token ?? '';
    await proveInSession(email, token);
    expect(await isConfirmed(id)).toBe(true);
    expect(await tables(id)).toMatchObject({ factors: 1 });
    expect(errorOf(await client.auth.getUser())).toBeNull();
  });

  test('A concurrent request of the attacker adds nothing while the owner opens the email', async () => {
    const stranger = await signUp();
    const { data: enrolled } = await stranger.client.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'Begun' });
    const factorId = enrolled?.id ?? '';
    const { data: challenge } = await stranger.client.auth.mfa.challenge({ factorId });
    const { authorizationId } = await (await addApplication(site)).begin();
    const pending: Promise<unknown>[] = [];
    await site.backend.database.transaction(async (tx) => {
      await tx.query('select from auth.users where id = $1 for update', [stranger.id]);
      pending.push(
        stranger.client.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'Late' }).then(errorOf),
        stranger.client.auth.mfa
          .verify({
            factorId,
            challengeId: challenge?.id ?? '',
            code: totpCode(enrolled?.type === 'totp' ? enrolled.totp.secret : ''),
          })
          .then(errorOf),
        stranger.client.auth.oauth.approveAuthorization(authorizationId).then(errorOf),
      );
      await deleteCredentials(tx, stranger.id, stranger.email);
    });
    for (const outcome of await Promise.all(pending)) expect(outcome).not.toBeNull();
    expect(await tables(stranger.id)).toEqual({ factors: 0, passkeys: 0, applications: 0, identities: ['email'] });
  });

  /** Types the emailed code on the page where the person signed up. */
  async function proveInSession(email: string, token: string) {
    const browser = newBrowser({ token });
    await browser.auth.signInWithOtp({ email, options: { shouldCreateUser: false } });
    const { code } = await nextMail(site.dataFolder, email);
    const { error } = await browser.auth.verifyOtp({ type: 'email', email, token: code });
    if (error) throw error;
  }
});

describe('The first emailed link or code', () => {
  test("The recovery email gives the owner the account without the attacker's credentials, and lets them set a password", async () => {
    const stranger = await signUp();
    await insertCredentials(stranger.id);
    const owner = await recover(stranger.email);
    expect(errorOf(await owner.auth.updateUser({ password: CHOSEN }))).toBeNull();
    expect(await tables(stranger.id)).toEqual({ factors: 0, passkeys: 0, applications: 0, identities: ['email'] });
    const { data } = await owner.auth.getUser();
    expect(data.user?.user_metadata['name']).toBeUndefined();
    expect(data.user?.app_metadata).toMatchObject({
      provider: 'email',
      providers: ['email'],
      setup_dropped: { what: ['password', 'identities', 'factors', 'passkeys', 'applications', 'sessions'] },
    });
    // All credentials of the attacker are invalid.
    expect(errorOf(await newBrowser().auth.signInWithPassword({ email: stranger.email, password: PASSWORD }))).toEqual([
      400,
      'invalid_credentials',
    ]);
    expect(errorOf(await stranger.client.auth.refreshSession())).toEqual([400, 'refresh_token_not_found']);
    expect(await isSignedOut(stranger.token)).toBe(true);
    const asStranger = newBrowser({ token: stranger.token });
    expect((await asStranger.rpc('my_sessions')).data).toEqual([]);
    // The credentials of the owner are valid.
    expect(errorOf(await newBrowser().auth.signInWithPassword({ email: stranger.email, password: CHOSEN }))).toBeNull();
    await enrolTotp(owner);
    expect(errorOf(await owner.rpc('delete_my_account'))).toBeNull();
  });

  test('A second email deletes no credentials', async () => {
    const { email } = await signUp();
    const owner = await recover(email);
    await owner.auth.updateUser({ password: CHOSEN });
    const client = newClient(site.url);
    await recover(email, 2);
    expect(errorOf(await client.auth.signInWithPassword({ email, password: CHOSEN }))).toBeNull();
  });

  test("A typed code and an admin’s link also delete the attacker's credentials", async () => {
    for (const open of [
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
      const stranger = await signUp();
      expect(errorOf(await open(stranger.email))).toBeNull();
      expect(
        errorOf(await newBrowser().auth.signInWithPassword({ email: stranger.email, password: PASSWORD })),
      ).not.toBeNull();
      expect(await isSignedOut(stranger.token)).toBe(true);
    }
  });

  test("A link with the owner's code challenge also deletes them, and signs in only the owner's browser", async () => {
    const stranger = await signUp();
    const browser = newBrowser({ flowType: 'pkce' });
    await browser.auth.resetPasswordForEmail(stranger.email);
    const { code } = await click((await nextMail(site.dataFolder, stranger.email)).link);
    expect(errorOf(await browser.auth.exchangeCodeForSession(code))).toBeNull();
    expect(errorOf(await browser.auth.updateUser({ password: CHOSEN }))).toBeNull();
    expect(
      errorOf(await newBrowser().auth.signInWithPassword({ email: stranger.email, password: PASSWORD })),
    ).not.toBeNull();
  });

  test("The attacker's code challenge proves nothing when the owner clicks, and the owner’s email still deletes the credentials", async () => {
    const stranger = await signUp();
    const browser = newBrowser({ token: stranger.token, flowType: 'pkce' });
    await browser.auth.signInWithOtp({ email: stranger.email });
    const { code } = await click((await nextMail(site.dataFolder, stranger.email)).link);
    expect(code).not.toBe('');
    expect(await isConfirmed(stranger.id)).toBe(false);
    expect(errorOf(await newBrowser({ flowType: 'pkce' }).auth.exchangeCodeForSession(code))).not.toBeNull();
    const owner = await recover(stranger.email, 2);
    expect(errorOf(await owner.auth.updateUser({ password: CHOSEN }))).toBeNull();
    expect(await isSignedOut(stranger.token)).toBe(true);
  });

  test('Another session with the same password does not count as the one that signed up', async () => {
    const stranger = await signUp();
    const second = await newBrowser().auth.signInWithPassword({ email: stranger.email, password: PASSWORD });
    const browser = newBrowser({ token: second.data.session?.access_token ?? '' });
    await browser.auth.signInWithOtp({ email: stranger.email });
    const { code } = await nextMail(site.dataFolder, stranger.email);
    await browser.auth.verifyOtp({ type: 'email', email: stranger.email, token: code });
    expect(
      errorOf(await newBrowser().auth.signInWithPassword({ email: stranger.email, password: PASSWORD })),
    ).not.toBeNull();
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
    expect(errorOf(await client.auth.getUser())).toBeNull();
    expect(errorOf(await newBrowser().auth.signInWithPassword({ email, password: PASSWORD }))).toBeNull();
    await enrolTotp(client);
  });

  test('A link that this browser requested keeps all credentials', async () => {
    const { email, token } = await signUp();
    const browser = newBrowser({ token, flowType: 'pkce' });
    await browser.auth.signInWithOtp({ email });
    const { code } = await click((await nextMail(site.dataFolder, email)).link);
    expect(errorOf(await browser.auth.exchangeCodeForSession(code))).toBeNull();
    expect(errorOf(await newBrowser().auth.signInWithPassword({ email, password: PASSWORD }))).toBeNull();
    expect(await isSignedOut(token)).toBe(false);
  });

  test('The code of GET /reauthenticate keeps all credentials', async () => {
    const { email, client } = await signUp();
    await client.auth.reauthenticate();
    const { code } = await nextMail(site.dataFolder, email);
    expect(errorOf(await client.auth.updateUser({ password: CHOSEN, nonce: code }))).toBeNull();
    expect(errorOf(await client.auth.mfa.enroll({ factorType: 'totp' }))).toBeNull();
  });
});

describe('Other ways to claim an email address', () => {
  test('An anonymous account that adds an email is unproven, and the owner of the email gets it without credentials', async () => {
    const stranger = newBrowser();
    const { data } = await stranger.auth.signInAnonymously();
    const email = newEmail();
    await stranger.auth.updateUser({ email, password: PASSWORD });
    await enrolTotp(stranger);
    const owner = await recover(email);
    expect((await owner.auth.getUser()).data.user?.id).toBe(data.user?.id);
    expect(await tables(data.user?.id ?? '')).toMatchObject({ factors: 0 });
    expect(errorOf(await newBrowser().auth.signInWithPassword({ email, password: PASSWORD }))).not.toBeNull();
    expect(await isSignedOut(data.session?.access_token ?? '')).toBe(true);
  });

  test('An email change proves only the new address, and deletes the earlier credentials', async () => {
    const stranger = await signUp();
    const claimed = newEmail();
    await stranger.client.auth.updateUser({ email: claimed });
    await click((await nextMail(site.dataFolder, stranger.email)).link);
    expect(await isConfirmed(stranger.id)).toBe(false);
    const { fragment } = await click((await nextMail(site.dataFolder, claimed)).link);
    expect(fragment).toHaveProperty('access_token');
    expect(errorOf(await newBrowser().auth.signInWithPassword({ email: claimed, password: PASSWORD }))).not.toBeNull();
    // The first address is available again.
    await signUp(stranger.email);
  });

  test('A user who changes a proven address keeps the password and the factors', async () => {
    const { email } = await signUp();
    const owner = await recover(email);
    await owner.auth.updateUser({ password: CHOSEN });
    const next = newEmail();
    await owner.auth.updateUser({ email: next });
    await click((await nextMail(site.dataFolder, next)).link);
    await click((await nextMail(site.dataFolder, email, 2)).link);
    expect(errorOf(await newBrowser().auth.signInWithPassword({ email: next, password: CHOSEN }))).toBeNull();
    await recover(next, 2);
    expect(errorOf(await newBrowser().auth.signInWithPassword({ email: next, password: CHOSEN }))).toBeNull();
  });

  test('A phone number that the attacker added is deleted as well', async () => {
    const stranger = await signUp();
    const phone = `4790${Math.random().toString().slice(2, 8)}`;
    await site.backend.database.query('update auth.users set phone = $2, phone_confirmed_at = now() where id = $1', [
      stranger.id,
      phone,
    ]);
    const owner = await recover(stranger.email);
    const { data } = await owner.auth.getUser();
    expect(data.user).toMatchObject({ email: stranger.email, phone: '' });
    expect(data.user?.app_metadata['setup_dropped']).toMatchObject({ what: ['password', 'phone', 'sessions'] });
  });
});

describe('Server administrators', () => {
  test('Creating an admin by email resets an account whose address is not proven', async () => {
    const { database } = site.backend;
    const stranger = await signUp();
    await insertCredentials(stranger.id);
    const added = await addAdmin(database, stranger.email);
    expect(added.password).not.toBeNull();
    expect(await isSignedOut(stranger.token)).toBe(true);
    expect(
      errorOf(await newBrowser().auth.signInWithPassword({ email: stranger.email, password: PASSWORD })),
    ).not.toBeNull();
    const password = added.password ?? '';
    expect(errorOf(await newBrowser().auth.signInWithPassword({ email: stranger.email, password }))).toBeNull();
    expect(await tables(stranger.id)).toMatchObject({ factors: 0, passkeys: 0, applications: 0 });
    const { email } = await signUp();
    const owner = await recover(email);
    expect((await addAdmin(database, email)).password).toBeNull();
    expect(errorOf(await owner.auth.getUser())).toBeNull();
  });

  test("A password from the command line deletes an attacker's credentials and marks the address as proven", async () => {
    const stranger = await signUp();
    await insertCredentials(stranger.id);
    await setPassword(site.backend.database, stranger.email, CHOSEN);
    expect(await tables(stranger.id)).toMatchObject({ factors: 0, passkeys: 0, applications: 0 });
    const owner = newBrowser();
    expect(errorOf(await owner.auth.signInWithPassword({ email: stranger.email, password: CHOSEN }))).toBeNull();
    await enrolTotp(owner);
  });

  test('Creating the first admin takes the account over from its previous user', async () => {
    const stranger = await signUp();
    await insertCredentials(stranger.id);
    const { database } = site.backend;
    const config = parseConfig({ ADMIN_EMAIL: stranger.email, ADMIN_PASSWORD: CHOSEN });
    await database.query(`update public.user_roles set approved = false where role = 'admin'`);
    await ensureFirstAdmin(database, config);
    expect(await tables(stranger.id)).toMatchObject({ factors: 0, passkeys: 0, applications: 0 });
    expect(errorOf(await newBrowser().auth.signInWithPassword({ email: stranger.email, password: CHOSEN }))).toBeNull();
  });
});
