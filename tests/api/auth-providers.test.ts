/** Provider sign-in, tested with the official client, a real OpenID provider and a fake GitHub, both on loopback. */
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PUBLISHABLE_KEY } from '../../packages/backend/src/http/keys.ts';
import { type FakeGithub, startFakeGithub } from '../support/fake-github.ts';
import { startOpenIdProvider, type TestProvider } from '../support/openid-provider.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';
import { newBrowser, parseFragment, SITE, type TestBrowser } from '../support/test-browser.ts';

let acme: TestProvider;
let github: FakeGithub;
let site: TestBackend;
beforeAll(async () => {
  acme = await startOpenIdProvider('acme');
  github = await startFakeGithub();
  site = await startTestBackend({
    SITE_URL: SITE,
    AUTH_MANUAL_LINKING: 'on',
    AUTH_CONFIRM_EMAIL: 'on',
    AUTH_PROVIDERS: JSON.stringify([
      acme.settings,
      { name: 'github', url: github.url, client_id: github.clientId, client_secret: github.clientSecret },
    ]),
  });
});
afterAll(async () => {
  await site.close();
  await acme.close();
  await github.close();
});

const newEmail = () => `person-${crypto.randomUUID().slice(0, 8)}@example.com`;
const ACME = 'custom:acme';

/** Creates an official client that sends its requests through the browser. */
function createBrowserClient(browser: TestBrowser, flowType: 'implicit' | 'pkce'): SupabaseClient {
  const storage = new Map<string, string>();
  return createClient(site.url, PUBLISHABLE_KEY, {
    global: { fetch: browser.fetch },
    auth: {
      flowType,
      autoRefreshToken: false,
      persistSession: true,
      storageKey: crypto.randomUUID(),
      storage: {
        getItem: (key) => storage.get(key) ?? null,
        setItem: (key, value) => void storage.set(key, value),
        removeItem: (key) => void storage.delete(key),
      },
    },
  });
}

/** Signs in with a provider through the browser. @returns the final URL and the client */
async function signIn(provider: string, flowType: 'implicit' | 'pkce' = 'implicit', redirectTo = `${SITE}/auth`) {
  const browser = newBrowser(site);
  const client = createBrowserClient(browser, flowType);
  const { data, error } = await client.auth.signInWithOAuth({
    provider: provider as 'google',
    options: { redirectTo, queryParams: { prompt: 'login' } },
  });
  if (error) throw error;
  const url = await browser.open(data.url ?? '');
  return { url, client, browser };
}

/** Sets the session from the URL fragment in the client. In a browser, the client does this by itself. */
async function setSessionFromUrl(client: SupabaseClient, url: URL) {
  const { access_token = '', refresh_token = '' } = parseFragment(url);
  const { data, error } = await client.auth.setSession({ access_token, refresh_token });
  if (error || !data.user) throw error ?? new Error(`No session in ${url}`);
  return data.user;
}

describe('OpenID providers', () => {
  test('The browser returns with a session in the fragment, and signs in to the same account next time', async () => {
    const email = newEmail();
    acme.person = { sub: crypto.randomUUID(), email, email_verified: true, name: 'Ada Lovelace' };
    const { url, client } = await signIn(ACME);
    expect(url.pathname).toBe('/auth');
    expect(parseFragment(url)).toMatchObject({ token_type: 'bearer', expires_in: '3600' });
    expect(parseFragment(url)).toHaveProperty('provider_token');
    expect(parseFragment(url)).toHaveProperty('provider_refresh_token');
    const user = await setSessionFromUrl(client, url);
    expect(user).toMatchObject({
      email,
      app_metadata: { provider: ACME, providers: [ACME] },
      user_metadata: { sub: acme.person.sub, name: 'Ada Lovelace', email, email_verified: true, iss: acme.issuer },
    });
    expect(user.email_confirmed_at).toBeTruthy();
    const { data } = await client.auth.getUserIdentities();
    expect(data?.identities).toMatchObject([{ provider: ACME, id: acme.person.sub, user_id: user.id }]);
    const claims = await client.auth.getClaims();
    expect(claims.data?.claims.amr).toMatchObject([{ method: 'oauth' }]);

    acme.person.name = 'Ada King';
    const secondSignIn = await signIn(ACME);
    const updatedUser = await setSessionFromUrl(secondSignIn.client, secondSignIn.url);
    expect(updatedUser).toMatchObject({ id: user.id, user_metadata: { name: 'Ada King' } });
  });

  test("With PKCE, the browser returns with a code for the session and the provider's tokens", async () => {
    acme.person = { sub: crypto.randomUUID(), email: newEmail(), email_verified: true };
    const { url, client } = await signIn(ACME, 'pkce', `${SITE}/auth?back=%2Faccount`);
    expect(url.hash).toBe('');
    expect(url.searchParams.get('back')).toBe('/account');
    const { data, error } = await client.auth.exchangeCodeForSession(url.searchParams.get('code') ?? '');
    expect(error).toBeNull();
    expect(data.user).toMatchObject({ email: acme.person.email });
    expect(data.session?.provider_token).toBeTruthy();
    expect(data.session?.provider_refresh_token).toBeTruthy();
    const flows = await site.backend.database.query('select from auth.flow_state where provider_type = $1', [ACME]);
    expect(flows.rowCount).toBe(0);
  });

  test('A user who declines at the provider returns with an error', async () => {
    acme.person = null;
    const { url } = await signIn(ACME);
    const denied = { error: 'access_denied', error_description: 'The user declined' };
    expect(parseFragment(url)).toEqual({ ...denied, sb: '' });
    expect(Object.fromEntries(url.searchParams)).toEqual(denied);
  });

  test('A user without an email address returns with an error', async () => {
    acme.person = { sub: crypto.randomUUID() };
    const { url } = await signIn(ACME);
    expect(parseFragment(url)).toMatchObject({
      error: 'server_error',
      error_description: 'Error getting user email from external provider',
    });
  });

  test('A verified address is linked to the confirmed account, which keeps its password', async () => {
    const email = newEmail();
    const password = 'Fjord-2026-signal';
    const created = await site.service.auth.admin.createUser({ email, password, email_confirm: true });
    acme.person = { sub: crypto.randomUUID(), email: email.toUpperCase(), email_verified: true };
    const { url, client } = await signIn(ACME);
    const user = await setSessionFromUrl(client, url);
    expect(user).toMatchObject({
      id: created.data.user?.id,
      app_metadata: { provider: 'email', providers: ['email', ACME] },
    });
    expect((await site.visitor.auth.signInWithPassword({ email, password })).error).toBeNull();
  });

  test('Two concurrent sign-ins with the same new identity create one account', async () => {
    acme.person = { sub: crypto.randomUUID(), email: newEmail(), email_verified: true };
    const users = await Promise.all(
      [signIn(ACME), signIn(ACME)].map(async (signInResult) => {
        const { client, url } = await signInResult;
        return setSessionFromUrl(client, url);
      }),
    );
    expect(users[0]?.id).toBe(users[1]?.id);
  });

  test("Scopes and query parameters are passed to the provider, but cannot replace the server's own", async () => {
    const { data } = await site.visitor.auth.signInWithOAuth({
      provider: ACME as 'google',
      options: {
        scopes: 'calendar tasks',
        queryParams: {
          prompt: 'consent',
          login_hint: 'ada',
          redirect_uri: 'https://evil.example/',
          State: 'mine',
          client_id: 'evil',
          response_mode: 'fragment',
          request_uri: 'https://evil.example/',
        },
        skipBrowserRedirect: true,
      },
    });
    const response = await fetch(data.url ?? '', { redirect: 'manual' });
    expect(response.status).toBe(302);
    const parameters = new URL(response.headers.get('location') ?? '').searchParams;
    expect(parameters.get('scope')).toBe('openid email profile calendar tasks');
    expect(parameters.get('redirect_uri')).toBe(`${SITE}/auth/v1/callback`);
    expect(Object.fromEntries(parameters)).toMatchObject({
      prompt: 'consent',
      login_hint: 'ada',
      client_id: 'acme-client',
    });
    for (const name of ['response_mode', 'request_uri', 'State', 'redirect_to', 'scopes']) {
      expect(parameters.has(name), name).toBe(false);
    }
  });
});

describe('GitHub as a provider', () => {
  test('The primary verified address is used, and any verified address links accounts', async () => {
    const [first, second] = [newEmail(), newEmail()];
    const { data } = await site.service.auth.admin.createUser({ email: second, email_confirm: true });
    const addresses = [
      { email: newEmail(), primary: true, verified: false },
      { email: first, primary: false, verified: true },
    ];
    github.person = { id: 4711, login: 'ada', name: 'Ada', emails: addresses };
    const created = await signIn('github');
    const user = await setSessionFromUrl(created.client, created.url);
    expect(user).toMatchObject({
      email: first,
      user_metadata: { user_name: 'ada', full_name: 'Ada', provider_id: '4711', email: first, email_verified: true },
      identities: [{ provider: 'github', id: '4711' }],
    });
    github.person = { id: 4712, login: 'eve', name: null, emails: [{ email: second, primary: false, verified: true }] };
    const linked = await signIn('github', 'pkce');
    const session = await linked.client.auth.exchangeCodeForSession(linked.url.searchParams.get('code') ?? '');
    expect(session.data.user?.id).toBe(data.user?.id);
    expect(session.data.session?.provider_token).toMatch(/^gho_/);
  });
});

describe.each(['implicit', 'pkce'] as const)('Linking (%s)', (flowType) => {
  async function signInWithAcme() {
    acme.person = { sub: crypto.randomUUID(), email: newEmail(), email_verified: true };
    const { url, client, browser } = await signIn(ACME, flowType);
    if (flowType === 'implicit') await setSessionFromUrl(client, url);
    else await client.auth.exchangeCodeForSession(url.searchParams.get('code') ?? '');
    const { data } = await client.auth.getUser();
    return { client, browser, user: data.user };
  }

  test('a second identity is linked, listed and unlinked, and the last one cannot be unlinked', async () => {
    const { client, browser, user } = await signInWithAcme();
    github.person = {
      id: Math.floor(Math.random() * 1e9) + 1,
      login: 'ada',
      name: null,
      emails: [{ email: newEmail(), primary: true, verified: true }],
    };
    const { data, error } = await client.auth.linkIdentity({
      provider: 'github',
      options: { redirectTo: `${SITE}/account` },
    });
    expect(error).toBeNull();
    const finalUrl = await browser.open(data.url ?? '');
    expect(finalUrl.pathname).toBe('/account');
    if (flowType === 'implicit') await setSessionFromUrl(client, finalUrl);
    else {
      const exchanged = await client.auth.exchangeCodeForSession(finalUrl.searchParams.get('code') ?? '');
      expect(exchanged.data.session?.provider_token).toMatch(/^gho_/);
    }
    const linked = await client.auth.getUserIdentities();
    expect(linked.data?.identities.map(({ provider }) => provider)).toEqual([ACME, 'github']);
    const { data: after } = await client.auth.getUser();
    expect(after.user).toMatchObject({
      id: user?.id,
      email: user?.email,
      app_metadata: { providers: [ACME, 'github'] },
    });

    const [first, second] = linked.data?.identities ?? [];
    if (!first || !second) throw new Error('Two identities were expected');
    const unlink = (identity_id: string) => client.auth.unlinkIdentity({ ...second, identity_id });
    expect((await unlink('x')).error).toMatchObject({ status: 404, message: 'identity_id must be an UUID' });
    const unknownIdentity = await unlink(crypto.randomUUID());
    expect(unknownIdentity.error).toMatchObject({ code: 'identity_not_found', message: "Identity doesn't exist" });
    expect((await client.auth.unlinkIdentity(second)).error).toBeNull();
    const last = await client.auth.unlinkIdentity(first);
    expect(last.error).toMatchObject({
      status: 422,
      code: 'single_identity_not_deletable',
      message: 'User must have at least 1 identity after unlinking',
    });
    const remaining = await client.auth.getUser();
    expect(remaining.data.user).toMatchObject({ app_metadata: { provider: ACME, providers: [ACME] } });
  });

  test('an identity that is already linked to the same or another user is rejected', async () => {
    const { client, browser } = await signInWithAcme();
    const relinking = await client.auth.linkIdentity({ provider: ACME as 'google' });
    const relinkingUrl = await browser.open(relinking.data.url ?? '');
    expect(parseFragment(relinkingUrl)).toMatchObject({
      error_code: 'identity_already_exists',
      error_description: 'Identity is already linked',
    });
    const otherUser = await signInWithAcme();
    const linking = await otherUser.client.auth.linkIdentity({ provider: 'github' });
    github.person = {
      id: 99,
      login: 'eve',
      name: null,
      emails: [{ email: newEmail(), primary: true, verified: true }],
    };
    await signIn('github');
    const finalUrl = await otherUser.browser.open(linking.data.url ?? '');
    expect(parseFragment(finalUrl)).toMatchObject({
      error: 'server_error',
      error_code: 'identity_already_exists',
      error_description: 'Identity is already linked to another user',
    });
  });
});

test('Unlinking an identity moves the account to a remaining address and removes its password', async () => {
  const email = newEmail();
  const password = 'Fjord-2026-signal';
  await site.service.auth.admin.createUser({ email, password, email_confirm: true });
  const browser = newBrowser(site);
  const client = createBrowserClient(browser, 'pkce');
  await client.auth.signInWithPassword({ email, password });
  const otherEmail = newEmail();
  acme.person = { sub: crypto.randomUUID(), email: otherEmail, email_verified: true };
  const { data } = await client.auth.linkIdentity({ provider: ACME as 'google' });
  const finalUrl = await browser.open(data.url ?? '');
  await client.auth.exchangeCodeForSession(finalUrl.searchParams.get('code') ?? '');
  const identities = (await client.auth.getUserIdentities()).data?.identities ?? [];
  const byEmail = identities.find(({ provider }) => provider === 'email');
  if (!byEmail) throw new Error('The account has no email identity');
  expect((await client.auth.unlinkIdentity(byEmail)).error).toBeNull();
  const after = await client.auth.getUser();
  expect(after.data.user).toMatchObject({ email: otherEmail, app_metadata: { provider: ACME, providers: [ACME] } });
  for (const address of [email, otherEmail]) {
    const response = await site.visitor.auth.signInWithPassword({ email: address, password });
    expect(response.error?.code).toBe('invalid_credentials');
  }
});

describe('Invalid requests', () => {
  test.each([
    ['google', 'Unsupported provider: provider is not enabled'],
    ['Facebook', 'Unsupported provider: provider is not enabled'],
    ['unknown', 'Unsupported provider: Provider unknown could not be found'],
    ['custom:unknown', 'Unsupported provider: custom provider custom:unknown not found'],
    ['', 'Unsupported provider: Provider  could not be found'],
  ])('The provider %j is rejected with the message of Supabase Auth', async (provider, msg) => {
    const response = await fetch(`${site.url}/auth/v1/authorize?provider=${provider}`, { redirect: 'manual' });
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({ code: 400, error_code: 'validation_failed', msg });
  });

  test('A code challenge without its method is rejected', async () => {
    const url = `${site.url}/auth/v1/authorize?provider=github&code_challenge=${'x'.repeat(43)}`;
    const response = await fetch(url, { redirect: 'manual' });
    expect(await response.json()).toMatchObject({
      msg: 'PKCE flow requires code_challenge_method and code_challenge',
    });
  });

  test('GET /settings lists the configured providers', async () => {
    const settings = await (await fetch(`${site.url}/auth/v1/settings`)).json();
    expect(settings).toMatchObject({
      external: { email: true, github: true, google: false, facebook: false, [ACME]: true, web3_ethereum: false },
      manual_linking_enabled: true,
    });
  });

  test('A provider that does not respond causes a redirect with an error', async () => {
    const unreachable = await startTestBackend({
      SITE_URL: SITE,
      AUTH_PROVIDERS: JSON.stringify([{ name: 'gone', issuer: 'http://127.0.0.1:9', client_id: 'x' }]),
    });
    const url = `${unreachable.url}/auth/v1/authorize?provider=custom:gone&redirect_to=${SITE}/auth`;
    const response = await fetch(url, { redirect: 'manual' });
    expect(response.status).toBe(302);
    const target = new URL(response.headers.get('location') ?? '');
    expect(target.pathname).toBe('/auth');
    expect(parseFragment(target)).toMatchObject({ error: 'server_error', error_code: 'unexpected_failure' });
    expect((await unreachable.backend.database.query('select from auth.flow_state')).rowCount).toBe(0);
    await unreachable.close();
  });
});
