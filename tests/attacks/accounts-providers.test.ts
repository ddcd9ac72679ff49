/** Attacks on the redirect to a provider and back. Each rejection has an allowed counterpart. */
import { createClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cleanUp } from '../../packages/backend/src/auth/clean-up.ts';
import { PUBLISHABLE_KEY } from '../../packages/backend/src/http/keys.ts';
import { startOpenIdProvider, type TestProvider } from '../support/openid-provider.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';
import { newBrowser, parseFragment, SITE } from '../support/test-browser.ts';

const PASSWORD = 'Fjord-2026-signal';
const newEmail = () => `person-${crypto.randomUUID().slice(0, 8)}@example.com`;

let acme: TestProvider;
let attackerProvider: TestProvider;
let site: TestBackend;
/** Backend that signs users up without email confirmation. */
let autoConfirmingSite: TestBackend;
beforeAll(async () => {
  acme = await startOpenIdProvider('acme', { claimsInIdToken: true });
  attackerProvider = await startOpenIdProvider('evil', { claimsInIdToken: true });
  const settings = {
    SITE_URL: SITE,
    AUTH_MANUAL_LINKING: 'on',
    AUTH_REDIRECT_URLS: 'https://app.example.com/in',
    AUTH_PROVIDERS: JSON.stringify([acme.settings, attackerProvider.settings]),
  };
  site = await startTestBackend({ ...settings, AUTH_CONFIRM_EMAIL: 'on' });
  autoConfirmingSite = await startTestBackend(settings);
});
afterAll(async () => {
  await site.close();
  await autoConfirmingSite.close();
  await acme.close();
  await attackerProvider.close();
});

const authorizeUrl = (backend: TestBackend, query: Record<string, string> = {}) =>
  `${backend.url}/auth/v1/authorize?${new URLSearchParams({ provider: 'custom:acme', redirect_to: `${SITE}/auth`, ...query })}`;

const newProfile = () => ({ sub: crypto.randomUUID(), email: newEmail(), email_verified: true });

/** Signs in through the provider in a separate browser. @returns the fragment of the final URL */
async function signIn(backend: TestBackend, query: Record<string, string> = {}) {
  return parseFragment(await newBrowser(backend).open(authorizeUrl(backend, query)));
}

async function fetchUser(backend: TestBackend, fragment: Record<string, string>) {
  return (await backend.visitor.auth.getUser(fragment['access_token'])).data.user;
}

describe('Replay', () => {
  test('A state can be used once, even by concurrent requests', async () => {
    acme.person = newProfile();
    const browser = newBrowser(site);
    const callback = await browser.openUntilCallback(authorizeUrl(site));
    const urls = await Promise.all([1, 2, 3].map(() => browser.open(callback.href)));
    const fragments = urls.map(parseFragment);
    expect(fragments.filter((fragment) => fragment['access_token'])).toHaveLength(1);
    const rejectedFragments = fragments.filter((fragment) => fragment['error_code'] === 'bad_oauth_state');
    expect(rejectedFragments).toHaveLength(2);
    expect(rejectedFragments[0]).toMatchObject({
      error: 'invalid_request',
      error_description: 'OAuth state not found or expired',
    });
  });

  test('An authorization code can be exchanged once, even by concurrent requests', async () => {
    acme.person = newProfile();
    const verifier = 'v'.repeat(64);
    const query = { code_challenge: verifier, code_challenge_method: 'plain' };
    const url = await newBrowser(site).open(authorizeUrl(site, query));
    const code = url.searchParams.get('code') ?? '';
    const redeem = async (code_verifier: string) => {
      const response = await fetch(`${site.url}/auth/v1/token?grant_type=pkce`, {
        method: 'POST',
        body: JSON.stringify({ auth_code: code, code_verifier }),
      });
      return response.status;
    };
    const statuses = await Promise.all([1, 2, 3].map(() => redeem(verifier)));
    expect(statuses.toSorted()).toEqual([200, 404, 404]);
    expect(await redeem(verifier)).toBe(404);
  });

  test("A provider's code is rejected with a different valid state", async () => {
    acme.person = newProfile();
    const browser = newBrowser(site);
    const callback = await browser.openUntilCallback(authorizeUrl(site));
    expect(parseFragment(await browser.open(callback.href))).toHaveProperty('access_token');
    const nextCallback = await browser.openUntilCallback(authorizeUrl(site));
    nextCallback.searchParams.set('code', callback.searchParams.get('code') ?? '');
    expect(parseFragment(await browser.open(nextCallback.href))).toMatchObject({ error: 'server_error' });
  });

  test('A state expires after ten minutes', async () => {
    acme.person = newProfile();
    const browser = newBrowser(site);
    const callback = await browser.openUntilCallback(authorizeUrl(site));
    await site.backend.database.query(
      `update auth.flow_state set created_at = now() - interval '601 seconds' where id = $1`,
      [callback.searchParams.get('state')],
    );
    expect(parseFragment(await browser.open(callback.href))).toMatchObject({
      error_code: 'bad_oauth_state',
      error_description: 'OAuth state has expired',
    });
  });

  test.each(['', 'x', '00000000-0000-4000-8000-000000000000', '\0'])('The state %j is rejected', async (state) => {
    const response = await fetch(`${site.url}/auth/v1/callback?${new URLSearchParams({ state, code: 'x' })}`, {
      redirect: 'manual',
    });
    expect(response.status).toBe(303);
    const target = new URL(response.headers.get('location') ?? '');
    expect(target.origin).toBe(SITE);
    expect(parseFragment(target)['error_code']).toMatch(/^bad_oauth_(state|callback)$/);
  });

  test('A HEAD request to the callback does not consume the state', async () => {
    acme.person = newProfile();
    const browser = newBrowser(site);
    const callback = await browser.openUntilCallback(authorizeUrl(site));
    expect((await browser.fetch(callback, { method: 'HEAD' })).status).toBe(200);
    expect(parseFragment(await browser.open(callback.href))).toHaveProperty('access_token');
  });
});

describe('Login CSRF', () => {
  test('A callback URL cannot sign in another browser, and still works in the browser that started the sign-in', async () => {
    acme.person = newProfile();
    const initiator = newBrowser(site);
    const callback = await initiator.openUntilCallback(authorizeUrl(site));
    const victim = newBrowser(site);
    await victim.openUntilCallback(authorizeUrl(site));
    expect(parseFragment(await victim.open(callback.href))).toMatchObject({ error_code: 'bad_oauth_state' });
    expect(parseFragment(await initiator.open(callback.href))).toHaveProperty('access_token');
  });

  test("A linking URL from an attacker does not link the victim's identity to the attacker's account", async () => {
    for (const flowType of ['implicit', 'pkce'] as const) {
      const attacker = await site.signedIn('client');
      const url = await readLinkUrl(site, attacker.token, flowType);
      acme.person = newProfile();
      const finalUrl = await newBrowser(site).open(url);
      if (flowType === 'implicit') expect(parseFragment(finalUrl)).toMatchObject({ error_code: 'bad_oauth_state' });
      else expect(finalUrl.searchParams.get('code')).toBeTruthy();
      const identities = await site.backend.database.query('select from auth.identities where user_id = $1', [
        attacker.id,
      ]);
      expect(identities.rowCount).toBe(0);
      // The victim gets a separate account instead.
      expect((await fetchUser(site, await signIn(site)))?.id).not.toBe(attacker.id);
    }
  });

  test('Only the owner of an identity can unlink it', async () => {
    acme.person = newProfile();
    const owner = await fetchUser(site, await signIn(site));
    const attacker = await site.signedIn('client');
    await site.backend.database.query(
      `insert into auth.identities (provider_id, user_id, identity_data, provider)
       values ($1, $2, '{}', 'google'), ($3, $2, '{}', 'github')`,
      [crypto.randomUUID(), attacker.id, crypto.randomUUID()],
    );
    const unlink = async (id: string | undefined, token: string) => {
      const headers = { authorization: `Bearer ${token}` };
      const response = await fetch(`${site.url}/auth/v1/user/identities/${id}`, { method: 'DELETE', headers });
      return { status: response.status, body: await response.json() };
    };
    expect(await unlink(owner?.identities?.[0]?.identity_id, attacker.token)).toMatchObject({
      status: 422,
      body: { error_code: 'identity_not_found' },
    });
    const identities = await site.backend.database.query<{ id: string }>(
      'select id from auth.identities where user_id = $1',
      [attacker.id],
    );
    const responses = await Promise.all(identities.rows.map(({ id }) => unlink(id, attacker.token)));
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 422]);
  });
});

/** Returns the provider's URL for linking an identity. */
async function readLinkUrl(backend: TestBackend, token: string, flowType: 'implicit' | 'pkce'): Promise<string> {
  const query = new URLSearchParams({
    provider: 'custom:acme',
    redirect_to: `${SITE}/account`,
    skip_http_redirect: 'true',
    ...(flowType === 'pkce' && { code_challenge: 'v'.repeat(64), code_challenge_method: 'plain' }),
  });
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(`${backend.url}/auth/v1/user/identities/authorize?${query}`, { headers });
  return ((await response.json()) as { url: string }).url;
}

describe('Provider mix-up', () => {
  test('A response with another issuer is rejected before its code is sent to a token endpoint', async () => {
    acme.person = newProfile();
    attackerProvider.person = acme.person;
    const browser = newBrowser(site);
    const genuine = await browser.openUntilCallback(authorizeUrl(site));
    const mismatched = await browser.openUntilCallback(authorizeUrl(site, { provider: 'custom:evil' }));
    mismatched.searchParams.set('code', genuine.searchParams.get('code') ?? '');
    mismatched.searchParams.set('iss', acme.issuer);
    expect(parseFragment(await browser.open(mismatched.href))).toMatchObject({ error: 'server_error' });
    // Without an issuer the code is sent to the other provider, which did not issue it.
    const withoutIssuer = await browser.openUntilCallback(authorizeUrl(site, { provider: 'custom:evil' }));
    withoutIssuer.searchParams.set('code', genuine.searchParams.get('code') ?? '');
    withoutIssuer.searchParams.delete('iss');
    expect(parseFragment(await browser.open(withoutIssuer.href))).toMatchObject({ error: 'server_error' });
    expect(parseFragment(await browser.open(genuine.href))).toHaveProperty('access_token');
  });

  test('The same subject ID at two providers belongs to two accounts', async () => {
    acme.person = newProfile();
    attackerProvider.person = { ...acme.person, email: newEmail() };
    const [acmeFragment, attackerFragment] = [await signIn(site), await signIn(site, { provider: 'custom:evil' })];
    expect((await fetchUser(site, acmeFragment))?.id).not.toBe((await fetchUser(site, attackerFragment))?.id);
  });
});

describe('Open redirects', () => {
  test.each([
    'https://evil.example/',
    '//evil.example',
    'https://signalfjord.example.com.evil.example/',
    'javascript:alert(1)',
  ])('redirect_to %s is replaced by the home page', async (redirect_to) => {
    acme.person = newProfile();
    const url = await newBrowser(site).open(authorizeUrl(site, { redirect_to }));
    expect([url.origin, url.pathname]).toEqual([site.url, '/']);
  });

  test('An allowed redirect_to URL is followed', async () => {
    acme.person = newProfile();
    const browser = newBrowser(site);
    const callback = await browser.openUntilCallback(
      authorizeUrl(site, { redirect_to: 'https://app.example.com/in/deep' }),
    );
    const response = await browser.fetch(callback);
    expect(response.headers.get('location')).toMatch(/^https:\/\/app\.example\.com\/in\/deep#access_token=/);
  });
});

describe('Account takeover by email', () => {
  test('An email that the provider has not verified does not sign in to an existing account', async () => {
    for (const backend of [site, autoConfirmingSite]) {
      const email = newEmail();
      const { data } = await backend.service.auth.admin.createUser({ email, email_confirm: true, password: PASSWORD });
      acme.person = { sub: crypto.randomUUID(), email, email_verified: false };
      expect(await signIn(backend)).toMatchObject({
        error: 'access_denied',
        error_code: 'provider_email_needs_verification',
        error_description: 'Unverified email with custom:acme. Verify the email with custom:acme in order to sign in',
      });
      const identities = await backend.backend.database.query('select from auth.identities where provider_id = $1', [
        acme.person.sub,
      ]);
      expect(identities.rowCount).toBe(0);
      acme.person = { ...acme.person, email_verified: true };
      expect((await fetchUser(backend, await signIn(backend)))?.id).toBe(data.user?.id);
    }
  });

  test('If confirmation is required, an unverified email of a provider creates no account', async () => {
    acme.person = { sub: crypto.randomUUID(), email: newEmail(), email_verified: false };
    expect(await signIn(site)).toMatchObject({ error_code: 'provider_email_needs_verification' });
    const { rowCount } = await site.backend.database.query('select from auth.users where email = $1', [
      acme.person.email,
    ]);
    expect(rowCount).toBe(0);
    expect(await signIn(autoConfirmingSite)).toHaveProperty('access_token');
  });

  test('An unconfirmed sign-up of an attacker is deleted when the owner of the email signs in', async () => {
    const email = newEmail();
    await site.visitor.auth.signUp({ email, password: PASSWORD, options: { data: { name: 'Stranger' } } });
    acme.person = { sub: crypto.randomUUID(), email, email_verified: true };
    const user = await fetchUser(site, await signIn(site));
    expect(user).toMatchObject({ email, app_metadata: { provider: 'custom:acme', providers: ['custom:acme'] } });
    expect(user?.identities).toHaveLength(1);
    expect(user?.user_metadata['name']).toBeUndefined();
    const attacker = await site.visitor.auth.signInWithPassword({ email, password: PASSWORD });
    expect(attacker.error?.code).toBe('invalid_credentials');
  });

  test("If confirmation is off, the attacker's password, sessions and factors are deleted too", async () => {
    const email = newEmail();
    const attacker = createClient(autoConfirmingSite.url, PUBLISHABLE_KEY, { auth: { persistSession: false } });
    const signUp = await attacker.auth.signUp({ email, password: PASSWORD });
    await attacker.auth.mfa.enroll({ factorType: 'totp' });
    const { database } = autoConfirmingSite.backend;
    await database.query(
      `with client as (
        insert into auth.oauth_clients (id, registration_type, redirect_uris, grant_types, token_endpoint_auth_method)
        values (gen_random_uuid(), 'manual', 'https://app.example.com/', 'authorization_code', 'none') returning id
      )
      insert into auth.oauth_consents (id, user_id, client_id, scopes) select gen_random_uuid(), $1, id, 'openid' from client`,
      [signUp.data.user?.id],
    );
    acme.person = { sub: crypto.randomUUID(), email, email_verified: true };
    const user = await fetchUser(autoConfirmingSite, await signIn(autoConfirmingSite));
    expect(user?.id).toBe(signUp.data.user?.id);
    expect(user?.identities?.map(({ provider }) => provider)).toEqual(['custom:acme']);
    expect(user?.factors ?? []).toEqual([]);
    const consents = await database.query('select from auth.oauth_consents where user_id = $1', [user?.id]);
    expect(consents.rowCount).toBe(0);
    expect((await attacker.auth.getUser()).error).not.toBeNull();
    const response = await autoConfirmingSite.visitor.auth.signInWithPassword({ email, password: PASSWORD });
    expect(response.error?.code).toBe('invalid_credentials');
  });

  test('An owner who has opened an emailed link keeps the password that they set afterwards', async () => {
    const email = newEmail();
    await autoConfirmingSite.visitor.auth.signUp({ email, password: PASSWORD });
    const { data } = await autoConfirmingSite.service.auth.admin.generateLink({ type: 'magiclink', email });
    const token_hash = data.properties?.hashed_token ?? '';
    const owner = createClient(autoConfirmingSite.url, PUBLISHABLE_KEY, { auth: { persistSession: false } });
    expect((await owner.auth.verifyOtp({ type: 'magiclink', token_hash })).error).toBeNull();
    const newPassword = 'Chosen-2026-signal';
    expect((await owner.auth.updateUser({ password: newPassword })).error).toBeNull();
    acme.person = { sub: crypto.randomUUID(), email, email_verified: true };
    const user = await fetchUser(autoConfirmingSite, await signIn(autoConfirmingSite));
    expect(user?.app_metadata['providers']).toEqual(['email', 'custom:acme']);
    expect(
      (await autoConfirmingSite.visitor.auth.signInWithPassword({ email, password: newPassword })).error,
    ).toBeNull();
  });

  test('An unverified email at a provider does not block the owner of the address', async () => {
    const email = newEmail();
    attackerProvider.person = { sub: crypto.randomUUID(), email, email_verified: false };
    const attacker = await signIn(autoConfirmingSite, { provider: 'custom:evil' });
    expect(attacker).toHaveProperty('access_token');
    acme.person = { sub: crypto.randomUUID(), email, email_verified: true };
    const owner = await fetchUser(autoConfirmingSite, await signIn(autoConfirmingSite));
    expect(owner?.identities?.map(({ provider }) => provider)).toEqual(['custom:acme']);
    expect((await autoConfirmingSite.visitor.auth.getUser(attacker['access_token'])).error).not.toBeNull();
    expect(await signIn(autoConfirmingSite, { provider: 'custom:evil' })).toMatchObject({
      error_code: 'provider_email_needs_verification',
    });
  });

  test('A banned user cannot sign in with a provider', async () => {
    acme.person = newProfile();
    const user = await fetchUser(site, await signIn(site));
    await site.service.auth.admin.updateUserById(user?.id ?? '', { ban_duration: '1h' });
    expect(await signIn(site)).toMatchObject({ error: 'access_denied', error_code: 'user_banned' });
    await site.service.auth.admin.updateUserById(user?.id ?? '', { ban_duration: 'none' });
    expect(await signIn(site)).toHaveProperty('access_token');
  });

  test('While sign-ups are disabled, only existing accounts can sign in', async () => {
    const closedSite = await startTestBackend({
      SITE_URL: SITE,
      AUTH_SIGNUPS: 'off',
      AUTH_PROVIDERS: JSON.stringify([acme.settings]),
    });
    acme.person = newProfile();
    expect(await signIn(closedSite)).toMatchObject({
      error: 'access_denied',
      error_code: 'signup_disabled',
      error_description: 'Signups not allowed for this instance',
    });
    await closedSite.service.auth.admin.createUser({ email: acme.person.email ?? '', email_confirm: true });
    expect(await signIn(closedSite)).toHaveProperty('access_token');
    await closedSite.close();
  });
});

describe('Flow state limits', () => {
  test('A network can start sixty sign-ins with a provider per ten minutes, and another network is not affected', async () => {
    const limitedSite = await startTestBackend({
      RATE_LIMITS: 'on',
      AUTH_PROVIDERS: JSON.stringify([acme.settings]),
    });
    const startSignIn = async (from: string) => {
      const headers = { 'x-forwarded-for': from };
      return (await fetch(authorizeUrl(limitedSite), { headers, redirect: 'manual' })).status;
    };
    const statuses = await Promise.all(Array.from({ length: 61 }, () => startSignIn('198.51.100.7')));
    expect(statuses.filter((status) => status === 429)).toHaveLength(1);
    expect(await startSignIn('198.51.100.8')).toBe(302);
    await limitedSite.close();
  });

  test('Abandoned sign-ins are deleted after an hour, and recent ones remain', async () => {
    const browser = newBrowser(site);
    acme.person = newProfile();
    const oldCallback = await browser.openUntilCallback(authorizeUrl(site));
    const recentCallback = await browser.openUntilCallback(authorizeUrl(site));
    const state = oldCallback.searchParams.get('state');
    const { database } = site.backend;
    await database.query(`update auth.flow_state set created_at = now() - interval '61 minutes' where id = $1`, [
      state,
    ]);
    await database.query(
      `update auth.oauth_client_states set created_at = now() - interval '61 minutes'
       where id = (select oauth_client_state_id from auth.flow_state where id = $1)`,
      [state],
    );
    await database.query(
      `insert into backend.used_wallet_messages values ('old', now() - interval '61 minutes'), ('new', now())`,
    );
    const count = async (table: string) => (await database.query(`select from ${table}`)).rowCount;
    const before = { flows: await count('auth.flow_state'), states: await count('auth.oauth_client_states') };
    await cleanUp(database);
    expect(await count('auth.flow_state')).toBe(before.flows - 1);
    expect(await count('auth.oauth_client_states')).toBe(before.states - 1);
    expect(await count('backend.used_wallet_messages')).toBe(1);
    expect(parseFragment(await browser.open(recentCallback.href))).toHaveProperty('access_token');
  });
});

test('An account with a second factor requires it before identities are linked or unlinked', async () => {
  const user = await site.signedIn('client');
  await site.backend.database.query(
    `insert into auth.mfa_factors (id, user_id, factor_type, status, created_at, updated_at)
     values (gen_random_uuid(), $1, 'totp', 'verified', now(), now())`,
    [user.id],
  );
  const headers = { authorization: `Bearer ${user.token}` };
  const link = await fetch(`${site.url}/auth/v1/user/identities/authorize?provider=custom:acme`, { headers });
  expect(await link.json()).toMatchObject({ error_code: 'insufficient_aal' });
  const otherUser = await site.signedIn('client');
  expect(await readLinkUrl(site, otherUser.token, 'implicit')).toContain(acme.issuer);
});
