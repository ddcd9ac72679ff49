/** Providers that are added at run time, tested with the official client and a real OpenID provider on loopback. */
import { createServer, type Server } from 'node:http';
import { AuthAdminApi, createClient } from '@supabase/supabase-js';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { publicFetch } from '../../packages/backend/src/http/external-fetch.ts';
import { PUBLISHABLE_KEY } from '../../packages/backend/src/http/keys.ts';
import { startOpenIdProvider, type TestProvider } from '../support/openid-provider.ts';
import { readBody } from '../support/read-body.ts';
import { callAuth } from '../support/single-sign-on.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';
import { newBrowser, parseFragment, SITE } from '../support/test-browser.ts';

const PATH = '/admin/custom-providers';
let acme: TestProvider;
let site: TestBackend;
/** A site with the default settings, which forbid private networks. */
let strictSite: TestBackend;
beforeAll(async () => {
  acme = await startOpenIdProvider('acme');
  site = await startTestBackend({
    SITE_URL: SITE,
    AUTH_CUSTOM_PROVIDERS_PRIVATE_NETWORKS: 'on',
    AUTH_PROVIDERS: JSON.stringify([{ ...acme.settings, name: 'configured' }]),
  });
  strictSite = await startTestBackend({ SITE_URL: SITE });
});
afterAll(async () => {
  await site.close();
  await strictSite.close();
  await acme.close();
});
beforeEach(() => {
  acme.person = { sub: crypto.randomUUID(), email: newEmail(), email_verified: true, name: 'Ada Lovelace' };
});

const newEmail = () => `person-${crypto.randomUUID().slice(0, 8)}@example.com`;
const newIdentifier = () => `custom:p-${crypto.randomUUID().slice(0, 8)}`;
const openId = () => ({
  provider_type: 'oidc' as const,
  identifier: newIdentifier(),
  name: 'Acme',
  client_id: acme.settings.client_id,
  client_secret: acme.settings.client_secret,
  issuer: acme.issuer,
  scopes: ['email', 'profile'],
});
const oauth2 = (origin: string) => ({
  provider_type: 'oauth2' as const,
  identifier: newIdentifier(),
  name: 'Forum',
  client_id: 'forum-client',
  client_secret: 'forum-secret',
  authorization_url: `${origin}/authorize`,
  token_url: `${origin}/token`,
  userinfo_url: `${origin}/me`,
  scopes: ['read'],
});
const admin = () => site.service.auth.admin.customProviders;

async function add(params: Parameters<ReturnType<typeof admin>['createProvider']>[0]) {
  const { data, error } = await admin().createProvider(params);
  if (error) throw error;
  return data;
}

/** Signs in through the browser. @returns the final URL and the signed-in user */
async function signIn(provider: string) {
  const browser = newBrowser(site);
  const client = createClient(site.url, PUBLISHABLE_KEY, {
    global: { fetch: browser.fetch },
    auth: { autoRefreshToken: false, persistSession: false, flowType: 'implicit' },
  });
  const { data, error } = await client.auth.signInWithOAuth({
    provider: provider as 'google',
    options: { redirectTo: `${SITE}/auth`, queryParams: { prompt: 'login' } },
  });
  if (error) throw error;
  const url = await browser.open(data.url ?? '');
  const { access_token = '' } = parseFragment(url);
  const user = access_token ? (await client.auth.getUser(access_token)).data.user : null;
  return { url, user };
}

async function enabledProviders(): Promise<Record<string, boolean>> {
  const response = await fetch(`${site.url}/auth/v1/settings`);
  return ((await response.json()) as { external: Record<string, boolean> }).external;
}

describe('Administration', () => {
  test('a provider can be added, read, listed, changed and removed, and its secret is never returned', async () => {
    const params = openId();
    const created = await add(params);
    const { client_secret: secret, scopes: _scopes, ...returned } = params;
    expect(created).toMatchObject({
      ...returned,
      scopes: ['openid', 'email', 'profile'],
      pkce_enabled: true,
      enabled: true,
      email_optional: false,
      skip_nonce_check: false,
      attribute_mapping: {},
      discovery_document: { issuer: acme.issuer, jwks_uri: `${acme.issuer}/jwks` },
    });
    expect((await admin().getProvider(params.identifier)).data).toEqual(created);
    const list = await admin().listProviders();
    expect(list.data.providers[0]).toEqual(created);
    expect((await admin().listProviders({ type: 'oauth2' })).data.providers).not.toContainEqual(created);
    expect((await admin().listProviders({ type: 'oidc' })).data.providers).toContainEqual(created);
    expect((await enabledProviders())[params.identifier]).toBe(true);

    const updateResult = await admin().updateProvider(params.identifier, {
      name: 'Acme Corp',
      enabled: false,
      scopes: [],
    });
    expect(updateResult.data).toMatchObject({ ...returned, name: 'Acme Corp', enabled: false, scopes: ['openid'] });
    expect(JSON.stringify([created, list.data, updateResult.data])).not.toContain(secret);
    expect((await enabledProviders())[params.identifier]).toBeUndefined();

    expect(await admin().deleteProvider(params.identifier)).toEqual({ data: null, error: null });
    for (const { error } of [
      await admin().getProvider(params.identifier),
      await admin().updateProvider(params.identifier, { name: 'x' }),
      await admin().deleteProvider(params.identifier),
    ]) {
      expect(error).toMatchObject({ status: 404, code: 'custom_provider_not_found' });
    }
  });

  test.for<[change: object, message: string]>([
    [{ provider_type: 'saml' }, "provider_type must be either 'oauth2' or 'oidc'"],
    [{ identifier: '' }, 'identifier is required'],
    [{ identifier: 'acme' }, "identifier must start with 'custom:' prefix, e.g. 'custom:acme'"],
    [{ identifier: 'custom:ACME' }, 'identifier must have at most 50 characters'],
    [{ identifier: `custom:${'a'.repeat(44)}` }, 'identifier must have at most 50 characters'],
    [{ name: '' }, 'name is required'],
    [{ client_id: '' }, 'client_id is required'],
    [{ client_secret: '' }, 'client_secret is required'],
    [{ issuer: '' }, 'issuer is required for OIDC providers'],
    [{ issuer: 'acme' }, 'Invalid URL format'],
    [{ issuer: 'ftp://acme.example' }, 'URL must use HTTPS'],
    [
      { issuer: 'http://127.0.0.1:1' },
      'OIDC discovery from "http://127.0.0.1:1/.well-known/openid-configuration" failed',
    ],
    [{ provider_type: 'oauth2' }, 'authorization_url is required for OAuth2 providers'],
    [{ authorization_params: { state: 'mine' } }, 'Cannot override reserved OAuth parameter: state'],
    [{ authorization_params: { prompt: 1 } }, 'Authorization parameter "prompt" must be a string'],
    [{ attribute_mapping: { role: 'groups' } }, 'Cannot map to protected system field: role'],
    [{ attribute_mapping: { email_verified: true } }, 'Cannot map to protected system field: email_verified'],
    [{ custom_claims_allowlist: [' '] }, 'custom_claims_allowlist entries must be non-empty strings'],
  ])('%j is rejected', async ([change, message]) => {
    const { error } = await admin().createProvider({ ...openId(), ...change });
    expect(error).toMatchObject({ status: 400, code: 'validation_failed' });
    expect(error?.message).toContain(message);
  });

  test('an update is validated like a new provider', async () => {
    const { identifier } = await add(openId());
    for (const change of [{ issuer: 'http://127.0.0.1:1' }, { attribute_mapping: { id: 'sub' } }]) {
      const { error } = await admin().updateProvider(identifier, change);
      expect(error).toMatchObject({ status: 400, code: 'validation_failed' });
    }
    expect((await admin().getProvider(identifier)).data?.issuer).toBe(acme.issuer);
  });

  test('an identifier is unique, even for concurrent requests and across the configuration', async () => {
    const params = openId();
    const responses = await Promise.all([admin().createProvider(params), admin().createProvider(params)]);
    expect(responses.map(({ error }) => error?.code).sort()).toEqual(['conflict', undefined]);
    const configured = await admin().createProvider({ ...params, identifier: 'custom:configured' });
    expect(configured.error).toMatchObject({ status: 400, code: 'conflict' });
  });

  test('an unsupported filter and an invalid name are rejected', async () => {
    expect((await callAuth(site, 'GET', `${PATH}?type=saml`)).body).toMatchObject({ code: 'validation_failed' });
    expect((await callAuth(site, 'GET', `${PATH}/google`)).status).toBe(400);
  });

  test('only the service role can read and change providers, not visitors or site admins', async () => {
    const { identifier } = await add(openId());
    const siteAdmin = await site.signedIn('admin', 'aal2');
    for (const [token, expectedError] of [
      [siteAdmin.token, { status: 403, code: 'not_admin' }],
      [undefined, { status: 401, code: 'no_authorization' }],
    ] as const) {
      const { customProviders } = new AuthAdminApi({
        url: `${site.url}/auth/v1`,
        headers: { apikey: PUBLISHABLE_KEY, ...(token && { authorization: `Bearer ${token}` }) },
      });
      for (const { error } of [
        await customProviders.listProviders(),
        await customProviders.getProvider(identifier),
        await customProviders.createProvider(openId()),
        await customProviders.updateProvider(identifier, { name: 'Mine' }),
        await customProviders.deleteProvider(identifier),
      ]) {
        expect(error).toMatchObject(expectedError);
      }
    }
    expect((await admin().getProvider(identifier)).data?.name).toBe('Acme');
  });

  test('private networks are rejected unless the setting allows them', async () => {
    const params = { ...openId(), provider_type: 'oidc' as const };
    for (const [issuer, message] of [
      [acme.issuer, 'URL must use HTTPS'],
      ['https://localhost/', 'URL cannot point to localhost or loopback addresses'],
      ['https://10.0.0.7/', 'URL cannot resolve to private network addresses'],
      ['https://169.254.169.254/', 'URL cannot resolve to private network addresses'],
      ['https://[fd00::1]/', 'URL cannot resolve to private network addresses'],
    ]) {
      const response = await strictSite.service.auth.admin.customProviders.createProvider({
        ...params,
        issuer: issuer ?? '',
      });
      expect(response.error).toMatchObject({ code: 'validation_failed', message });
    }
    // A host name may resolve to another address later, so the connection itself is rejected.
    for (const url of [acme.issuer, 'https://127.0.0.1/', 'https://localhost/', 'https://[::1]/']) {
      await expect(publicFetch(url)).rejects.toThrow(/private address|not a public https address/);
    }
    expect((await add(params)).issuer).toBe(acme.issuer);
  });
});

describe('Signing in with an OpenID provider', () => {
  test('the browser gets a session until the provider is disabled', async () => {
    const { identifier } = await add({
      ...openId(),
      attribute_mapping: { nickname: 'name' },
      custom_claims_allowlist: ['name'],
    });
    const { user } = await signIn(identifier);
    expect(user).toMatchObject({
      email: acme.person?.email,
      app_metadata: { provider: identifier, providers: [identifier] },
      user_metadata: { nickname: 'Ada Lovelace', email_verified: true, custom_claims: { name: 'Ada Lovelace' } },
    });
    expect((await signIn(identifier)).user?.id).toBe(user?.id);

    await admin().updateProvider(identifier, { enabled: false });
    const disabled = await callAuth(site, 'GET', `/authorize?provider=${identifier}`, undefined, { asService: false });
    expect(disabled).toMatchObject({
      status: 400,
      body: { message: `Unsupported provider: custom provider ${identifier} is disabled` },
    });
    await admin().deleteProvider(identifier);
    const deletedResponse = await callAuth(site, 'GET', `/authorize?provider=${identifier}`, undefined, {
      asService: false,
    });
    expect(deletedResponse.body['message']).toBe(`Unsupported provider: custom provider ${identifier} not found`);
  });

  test('email_verified does not apply to an email address that is mapped from another claim', async () => {
    const victim = newEmail();
    await site.service.auth.admin.createUser({ email: victim, email_confirm: true });
    const { identifier } = await add({ ...openId(), attribute_mapping: { email: 'name' } });
    acme.person = { sub: crypto.randomUUID(), email: newEmail(), email_verified: true, name: victim };
    const { user, url } = await signIn(identifier);
    expect(user).toBeNull();
    expect(parseFragment(url)['error_code']).toBe('provider_email_needs_verification');
  });

  test('a user without an email address can sign in only if the email is optional', async () => {
    const { identifier } = await add(openId());
    acme.person = { sub: crypto.randomUUID() };
    expect((await signIn(identifier)).user).toBeNull();
    await admin().updateProvider(identifier, { email_optional: true });
    expect((await signIn(identifier)).user).toMatchObject({ app_metadata: { provider: identifier } });
  });

  test("an ID token is accepted only for the provider's clients and only while the provider is enabled", async () => {
    const { identifier } = await add({ ...openId(), skip_nonce_check: true });
    const token = await idToken();
    const redeem = () => site.visitor.auth.signInWithIdToken({ provider: identifier as 'google', token });
    expect((await redeem()).data.user?.app_metadata).toMatchObject({ provider: identifier });
    await admin().updateProvider(identifier, { client_id: 'another-client' });
    expect((await redeem()).error?.message).toContain('Unacceptable audience in id_token');
    await admin().updateProvider(identifier, { acceptable_client_ids: [acme.settings.client_id] });
    expect((await redeem()).error).toBeNull();
    await admin().updateProvider(identifier, { enabled: false });
    expect((await redeem()).error).toMatchObject({ status: 400, code: 'provider_disabled' });
  });
});

/** Fetches an ID token as a native app does. */
async function idToken(): Promise<string> {
  const verifier = 'v'.repeat(43);
  const { calculatePKCECodeChallenge } = await import('oauth4webapi');
  const url = new URL(`${acme.issuer}/auth`);
  const redirect_uri = `${SITE}/auth/v1/callback`;
  url.search = new URLSearchParams({
    client_id: acme.settings.client_id,
    redirect_uri,
    response_type: 'code',
    scope: 'openid email',
    code_challenge: await calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  }).toString();
  const callbackUrl = await newBrowser(site).openUntilCallback(url.href);
  const response = await fetch(`${acme.issuer}/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${acme.settings.client_id}:${acme.settings.client_secret}`)}` },
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code: callbackUrl.searchParams.get('code') ?? '',
      redirect_uri,
      code_verifier: verifier,
    }),
  });
  const { id_token = '' } = (await response.json()) as { id_token?: string };
  expect(decodeJwt(id_token).iss).toBe(acme.issuer);
  return id_token;
}

describe('Signing in with plain OAuth 2.0', () => {
  let forum: Server;
  let origin: string;
  let profile: Record<string, unknown>;
  /** The part of the request in which the token endpoint expects the client secret. */
  let secretLocation: 'header' | 'body';
  beforeAll(async () => {
    forum = createServer(async (request, response) => {
      const url = new URL(request.url ?? '/', origin);
      if (url.pathname === '/authorize') {
        const callbackUrl = new URL(url.searchParams.get('redirect_uri') ?? '');
        callbackUrl.search = new URLSearchParams({
          code: 'c-1',
          state: url.searchParams.get('state') ?? '',
        }).toString();
        return response.writeHead(302, { location: callbackUrl.href }).end();
      }
      const json = (status: number, body: object) =>
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      if (url.pathname === '/me') {
        return request.headers.authorization === 'Bearer t-1' ? json(200, profile) : json(401, {});
      }
      const form = new URLSearchParams((await readBody(request))?.toString());
      const basicCredentials = decodeURIComponent(atob(request.headers.authorization?.replace('Basic ', '') ?? ''));
      const isSecretValid =
        secretLocation === 'header'
          ? basicCredentials === 'forum-client:forum-secret'
          : form.get('client_secret') === 'forum-secret';
      const isValid = isSecretValid && form.get('code') === 'c-1' && form.get('code_verifier');
      return isValid
        ? json(200, { access_token: 't-1', token_type: 'bearer', id_token: 'not.checked.here' })
        : json(401, { error: 'invalid_client' });
    });
    await new Promise<void>((resolve) => forum.listen(0, '127.0.0.1', resolve));
    const address = forum.address();
    origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  });
  afterAll(() => {
    forum.closeAllConnections();
    forum.close();
  });

  test.for(['header', 'body'] as const)(
    'the profile is fetched and mapped, with the client secret in the %s',
    async (location) => {
      secretLocation = location;
      profile = { user_id: Math.floor(Math.random() * 1e9), mail: newEmail(), email_verified: true, display: 'Grace' };
      const { identifier } = await add({
        ...oauth2(origin),
        attribute_mapping: { sub: 'user_id', email: 'mail', name: 'display', locale: 'nb' },
      });
      const { user } = await signIn(identifier);
      expect(user).toMatchObject({
        email: profile['mail'],
        app_metadata: { provider: identifier },
        user_metadata: { sub: String(profile['user_id']), name: 'Grace', email_verified: true },
      });
      expect((await signIn(identifier)).user?.id).toBe(user?.id);
    },
  );

  test('sign-in fails if the profile has no user id', async () => {
    secretLocation = 'header';
    profile = { user_id: 1, email: newEmail(), email_verified: true };
    const { identifier } = await add(oauth2(origin));
    const { user, url } = await signIn(identifier);
    expect(user).toBeNull();
    expect(parseFragment(url)['error_description']).toContain('Unable to exchange external code');
  });

  test('ID tokens of the provider are rejected', async () => {
    const { identifier } = await add(oauth2(origin));
    const { error } = await site.visitor.auth.signInWithIdToken({ provider: identifier as 'google', token: 'x.y.z' });
    expect(error?.message).toBe(`Provider "${identifier}" is not an OIDC provider`);
  });
});
