import { createClient } from '@supabase/supabase-js';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PUBLISHABLE_KEY } from '../../packages/backend/src/http/keys.ts';
import {
  authorizeApplication,
  basicAuthorization,
  createSignedInUser,
  REDIRECT_URI,
  registerApplication,
  registerClient,
  requestTokens,
} from '../support/oauth-client.ts';
import { callAuth } from '../support/single-sign-on.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';

let site: TestBackend;
beforeAll(async () => {
  site = await startTestBackend({ AUTH_OAUTH_SERVER: 'on', AUTH_OAUTH_REGISTRATION: 'on' });
});
afterAll(() => site.close());

const newUser = (attributes?: object) => createSignedInUser(site, attributes);
const newClient = (fields?: object) => registerClient(site, fields);
const newApplication = (fields?: object) => registerApplication(site, fields);

describe('A user signs in to an application with their account', () => {
  test("The user consents once, and the application gets tokens and the user's profile", async () => {
    const user = await newUser({ user_metadata: { name: 'Ada' } });
    const application = await newApplication({ client_uri: 'https://app.example', token_endpoint_auth_method: 'none' });
    const authorization = await application.begin({ scope: 'openid profile email', nonce: 'n-0S6_WzA2Mj' });
    const details = await user.client.auth.oauth.getAuthorizationDetails(authorization.authorizationId);
    expect(details).toEqual({
      data: {
        authorization_id: authorization.authorizationId,
        redirect_uri: REDIRECT_URI,
        client: { id: application.client.client_id, name: 'Planner', uri: 'https://app.example', logo_uri: '' },
        user: { id: user.id, email: user.email },
        scope: 'openid profile email',
      },
      error: null,
    });
    const { data } = await user.client.auth.oauth.approveAuthorization(authorization.authorizationId);
    expect(data?.redirect_url).toContain('https://app.example/callback?from=us&code=');
    const tokens = await application.finish(authorization, data?.redirect_url ?? '');
    expect(tokens).toMatchObject({ token_type: 'bearer', expires_in: 3600, scope: 'openid profile email' });
    expect(decodeJwt(tokens.id_token ?? '')).toMatchObject({
      aud: application.client.client_id,
      sub: user.id,
      email: user.email,
      email_verified: true,
      name: 'Ada',
      nonce: 'n-0S6_WzA2Mj',
    });
    expect(await application.userInfo(tokens.access_token, user.id)).toMatchObject({
      name: 'Ada',
      email: user.email,
    });

    const second = await application.begin({ scope: 'email' });
    const skipped = await user.client.auth.oauth.getAuthorizationDetails(second.authorizationId);
    const redirectUrl = skipped.data && 'redirect_url' in skipped.data ? skipped.data.redirect_url : '';
    expect(await application.finish(second, redirectUrl)).toMatchObject({ scope: 'email' });
    const thirdRequest = await application.begin({ scope: 'email phone' });
    const thirdDetails = await user.client.auth.oauth.getAuthorizationDetails(thirdRequest.authorizationId);
    expect(thirdDetails.data).toMatchObject({ scope: 'email phone' });
  });

  test("The tokens identify the application and the user, but have only a visitor's access to tables", async () => {
    const user = await newUser();
    const application = await newApplication();
    await site.service.from('user_roles').insert({ user_id: user.id, role: 'client', approved: true }).throwOnError();
    const tokens = await authorizeApplication(application, user, { scope: 'openid' });
    expect(decodeJwt(tokens.access_token)).toMatchObject({
      client_id: application.client.client_id,
      scope: 'openid',
      role: 'authenticated',
      aal: 'aal1',
      amr: [{ method: 'oauth_provider/authorization_code' }],
    });
    const asApplication = createClient(site.url, PUBLISHABLE_KEY, {
      accessToken: async () => tokens.access_token,
    });
    expect((await asApplication.from('user_roles').select('role')).data).toEqual([]);
    expect(await application.userInfo(tokens.access_token, user.id)).toEqual({ sub: user.id });
  });

  test('The application refreshes its tokens with its secret and keeps the scope', async () => {
    const user = await newUser();
    const application = await newApplication();
    const tokens = await authorizeApplication(application, user);
    const refreshed = await application.refresh(tokens.refresh_token ?? '');
    expect(refreshed).toMatchObject({ scope: 'openid email' });
    expect(refreshed.refresh_token).not.toBe(tokens.refresh_token);
    expect(decodeJwt(refreshed.access_token)).toMatchObject({
      client_id: application.client.client_id,
      scope: 'openid email',
    });
    expect(decodeJwt(refreshed.id_token ?? '')).toMatchObject({ aud: application.client.client_id });
  });

  test('A refresh token requires the refresh grant, and an ID token requires the openid scope', async () => {
    const application = await newApplication({ grant_types: ['authorization_code'] });
    const tokens = await authorizeApplication(application, await newUser(), { scope: 'email' });
    expect(tokens.refresh_token).toBeUndefined();
    expect(tokens.id_token).toBeUndefined();
  });

  test('The token endpoint accepts the client secret in a JSON body', async () => {
    const user = await newUser();
    const application = await newApplication({ token_endpoint_auth_method: 'client_secret_post' });
    const authorization = await application.begin();
    const { data } = await user.client.auth.oauth.approveAuthorization(authorization.authorizationId);
    const response = await fetch(`${site.url}/auth/v1/oauth/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        grant_type: 'authorization_code',
        code: new URL(data?.redirect_url ?? '').searchParams.get('code'),
        code_verifier: authorization.verifier,
        client_id: application.client.client_id,
        client_secret: application.client.client_secret,
      }),
    });
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('no-store');
  });

  test('If the user denies consent, the application gets an error', async () => {
    const user = await newUser();
    const application = await newApplication();
    const authorization = await application.begin();
    const { data } = await user.client.auth.oauth.denyAuthorization(authorization.authorizationId);
    const redirectUrl = new URL(data?.redirect_url ?? '');
    expect(Object.fromEntries(redirectUrl.searchParams)).toEqual({
      from: 'us',
      error: 'access_denied',
      error_description: 'User denied the request',
      state: authorization.state,
      iss: `${site.url}/auth/v1`,
    });
    const approval = await user.client.auth.oauth.approveAuthorization(authorization.authorizationId);
    expect(approval.error).toMatchObject({ status: 400, code: 'validation_failed' });
  });

  test('Users can list and revoke the applications they authorised, and revoking ends the sessions', async () => {
    const user = await newUser();
    const application = await newApplication();
    const tokens = await authorizeApplication(application, user);
    const { data } = await user.client.auth.oauth.listGrants();
    expect(data).toMatchObject([
      { client: { id: application.client.client_id, name: 'Planner' }, scopes: ['openid', 'email'] },
    ]);
    const pending = await application.begin();
    await user.client.auth.oauth.getAuthorizationDetails(pending.authorizationId);
    const revoked = await user.client.auth.oauth.revokeGrant({ clientId: application.client.client_id });
    expect(revoked.error).toBeNull();
    expect((await user.client.auth.oauth.listGrants()).data).toEqual([]);
    await expect(application.refresh(tokens.refresh_token ?? '')).rejects.toThrow();
    const response = await fetch(`${site.url}/auth/v1/user`, {
      headers: { authorization: `Bearer ${tokens.access_token}` },
    });
    expect(response.status).toBe(403);
    const secondRevocation = await user.client.auth.oauth.revokeGrant({ clientId: application.client.client_id });
    expect(secondRevocation.error).toMatchObject({ status: 404, code: 'oauth_consent_not_found' });
    expect((await user.client.auth.getUser()).error).toBeNull();
    // The next authorisation asks for consent again.
    const nextAuthorization = await application.begin();
    expect(
      (await user.client.auth.oauth.getAuthorizationDetails(nextAuthorization.authorizationId)).data,
    ).toHaveProperty('client');
  });
});

describe('Authorisation requests', () => {
  const requestAuthorization = async (changes: Record<string, string | undefined>) => {
    const { client_id } = await newClient();
    const query = {
      client_id,
      redirect_uri: REDIRECT_URI,
      response_type: 'code',
      state: 'xyz',
      code_challenge: 'c'.repeat(43),
      code_challenge_method: 'S256',
      ...changes,
    };
    const entries = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined);
    const response = await fetch(`${site.url}/auth/v1/oauth/authorize?${new URLSearchParams(entries)}`, {
      redirect: 'manual',
      headers: { 'x-supabase-api-version': '2024-01-01' },
    });
    const location = response.headers.get('location');
    return { status: response.status, location, body: location ? undefined : await response.json() };
  };

  test("A valid request redirects to the site's consent page", async () => {
    const { status, location } = await requestAuthorization({});
    expect(status).toBe(302);
    expect(location).toMatch(new RegExp(`^${site.url}/oauth/consent\\?authorization_id=[0-9a-f]{32}$`));
  });

  test.for([
    [{ client_id: undefined }, 'validation_failed', 'client_id is required'],
    [{ client_id: crypto.randomUUID() }, 'oauth_client_not_found', 'invalid client_id'],
    [{ client_id: 'x' }, 'oauth_client_not_found', 'invalid client_id'],
    [{ redirect_uri: undefined }, 'validation_failed', 'redirect_uri is required'],
    [{ redirect_uri: 'https://app.example/callback' }, 'validation_failed', 'invalid redirect_uri'],
    [{ redirect_uri: `${REDIRECT_URI}&more` }, 'validation_failed', 'invalid redirect_uri'],
    [{ redirect_uri: 'https://evil.example/callback?from=us' }, 'validation_failed', 'invalid redirect_uri'],
  ] as const)(
    'An invalid client or redirect URI gets an error, not a redirect: %o',
    async ([changes, code, message]) => {
      expect(await requestAuthorization(changes)).toMatchObject({
        status: 400,
        location: null,
        body: { code, message },
      });
    },
  );

  test.for([
    [{ response_type: 'token' }, 'unsupported_response_type'],
    [{ code_challenge: undefined }, 'invalid_request'],
    [{ code_challenge_method: undefined }, 'invalid_request'],
    [{ code_challenge: 'short' }, 'invalid_request'],
    [{ scope: 'openid admin' }, 'invalid_scope'],
  ] as const)("All other errors are returned to the application's redirect URI: %o", async ([changes, error]) => {
    const { status, location } = await requestAuthorization(changes);
    expect(status).toBe(302);
    const redirectUrl = new URL(location ?? '');
    expect(`${redirectUrl.origin}${redirectUrl.pathname}`).toBe('https://app.example/callback');
    expect(Object.fromEntries(redirectUrl.searchParams)).toMatchObject({ error, state: 'xyz', from: 'us' });
  });

  test('Invalid token requests are rejected with the errors of OAuth 2.0', async () => {
    const { client_id: id, client_secret: secret = '' } = await newClient();
    const credentials = basicAuthorization(id, secret);
    const cases: [fields: Record<string, string>, headers: Record<string, string>, status: number, error: string][] = [
      [{}, {}, 401, 'invalid_client'],
      [{ client_id: id }, {}, 401, 'invalid_client'],
      [{ client_id: id, client_secret: 'wrong' }, {}, 401, 'invalid_client'],
      [{}, basicAuthorization(id, 'wrong'), 401, 'invalid_client'],
      [{}, basicAuthorization(crypto.randomUUID(), secret), 401, 'invalid_client'],
      [{ client_secret: secret }, credentials, 400, 'invalid_request'],
      [{}, credentials, 400, 'invalid_request'],
      [{ grant_type: 'password' }, credentials, 400, 'unsupported_grant_type'],
      [{ grant_type: 'authorization_code' }, credentials, 400, 'invalid_request'],
      [{ grant_type: 'authorization_code', code: 'unknown' }, credentials, 400, 'invalid_grant'],
      [{ grant_type: 'refresh_token' }, credentials, 400, 'invalid_request'],
      [{ grant_type: 'refresh_token', refresh_token: 'unknown' }, credentials, 400, 'invalid_grant'],
    ];
    for (const [fields, headers, status, error] of cases) {
      expect(await requestTokens(site, fields, headers)).toMatchObject({ status, body: { error } });
    }
    const { client_id } = await newClient({ grant_types: ['authorization_code'], token_endpoint_auth_method: 'none' });
    const withoutGrant = await requestTokens(site, { client_id, grant_type: 'refresh_token', refresh_token: 'x' });
    expect(withoutGrant).toMatchObject({ status: 400, body: { error: 'unauthorized_client' } });
    const withSecret = await requestTokens(site, { client_id, client_secret: 'x', grant_type: 'authorization_code' });
    expect(withSecret).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
  });
});

describe('Clients', () => {
  test('The service role adds, lists, reads, changes and removes clients', async () => {
    const oauth = site.service.auth.admin.oauth;
    const created = await newClient({ client_uri: 'https://app.example' });
    expect(created).toMatchObject({
      client_name: 'Planner',
      client_type: 'confidential',
      token_endpoint_auth_method: 'client_secret_basic',
      registration_type: 'manual',
      redirect_uris: [REDIRECT_URI],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
    });
    expect(created.client_secret).toMatch(/^[\w-]{43}$/);
    const { client_secret: _secret, ...publicFields } = created;
    expect((await oauth.getClient(created.client_id)).data).toEqual(publicFields);
    const page = await oauth.listClients({ page: 1, perPage: 1 });
    expect(page.data).toMatchObject({ clients: [publicFields], nextPage: 2 });

    const updateResult = await oauth.updateClient(created.client_id, {
      client_name: 'Diary',
      redirect_uris: ['com.example.app:/cb'],
    });
    expect(updateResult.data).toMatchObject({
      client_name: 'Diary',
      redirect_uris: ['com.example.app:/cb'],
      client_uri: 'https://app.example',
    });
    const emptyUpdate = await oauth.updateClient(created.client_id, {});
    expect(emptyUpdate.error).toMatchObject({ status: 400, message: 'No fields provided for update' });

    const renewed = await oauth.regenerateClientSecret(created.client_id);
    expect(renewed.data?.client_secret).not.toBe(created.client_secret);
    const grant = { grant_type: 'authorization_code', code: 'unknown' };
    const withOldSecret = await requestTokens(
      site,
      grant,
      basicAuthorization(created.client_id, created.client_secret ?? ''),
    );
    expect(withOldSecret).toMatchObject({ status: 401 });
    const withNewSecret = await requestTokens(
      site,
      grant,
      basicAuthorization(created.client_id, renewed.data?.client_secret ?? ''),
    );
    expect(withNewSecret).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    const { client_id } = await newClient({ token_endpoint_auth_method: 'none' });
    expect((await oauth.regenerateClientSecret(client_id)).error).toMatchObject({ status: 400 });

    expect((await oauth.deleteClient(created.client_id)).error).toBeNull();
    expect((await oauth.getClient(created.client_id)).error).toMatchObject({
      status: 404,
      code: 'oauth_client_not_found',
    });
  });

  test('Deleting a client ends its sessions and consents', async () => {
    const user = await newUser();
    const application = await newApplication();
    const tokens = await authorizeApplication(application, user);
    await site.service.auth.admin.oauth.deleteClient(application.client.client_id);
    const response = await fetch(`${site.url}/auth/v1/user`, {
      headers: { authorization: `Bearer ${tokens.access_token}` },
    });
    expect(response.status).toBe(403);
    expect((await user.client.auth.oauth.listGrants()).data).toEqual([]);
    await expect(application.refresh(tokens.refresh_token ?? '')).rejects.toThrow();
  });

  test('Only the service role can manage clients', async () => {
    const { client } = await newUser();
    const session = (await client.auth.getSession()).data.session;
    for (const [method, path] of [
      ['GET', '/admin/oauth/clients'],
      ['POST', '/admin/oauth/clients'],
      ['GET', `/admin/oauth/clients/${crypto.randomUUID()}`],
      ['PUT', `/admin/oauth/clients/${crypto.randomUUID()}`],
      ['DELETE', `/admin/oauth/clients/${crypto.randomUUID()}`],
      ['POST', `/admin/oauth/clients/${crypto.randomUUID()}/regenerate_secret`],
    ] as const) {
      const headers = { authorization: `Bearer ${session?.access_token}` };
      expect((await fetch(`${site.url}/auth/v1${path}`, { method, headers })).status).toBe(403);
      expect((await fetch(`${site.url}/auth/v1${path}`, { method })).status).toBe(401);
    }
  });

  test.for([
    [{ redirect_uris: [] }, 'redirect_uris cannot be empty'],
    [{ redirect_uris: Array(11).fill('https://a.example') }, 'redirect_uris cannot exceed 10 items'],
    [{ redirect_uris: ['http://app.example'] }, 'HTTP scheme only allowed for localhost'],
    [{ redirect_uris: ['javascript:alert(1)'] }, 'scheme must be HTTPS or HTTP'],
    [{ redirect_uris: ['data:text/html,x'] }, 'invalid URL format'],
    [{ redirect_uris: ['https://app.example/#x'] }, 'fragment not allowed'],
    [{ redirect_uris: ['https://app.example/,https://evil.example/'] }, 'invalid URL format'],
    [{ redirect_uris: ['https://a@app.example/'] }, 'must not contain a user name'],
    [{ redirect_uris: ['/callback'] }, 'invalid URL format'],
    [{ grant_types: ['password'] }, 'grant_types must only contain'],
    [{ client_uri: 'javascript:alert(1)' }, 'client_uri must be a valid URL'],
    [{ logo_uri: 'x' }, 'logo_uri must be a valid URL'],
    [{ client_name: 'x'.repeat(1025) }, 'client_name cannot exceed 1024 characters'],
    [{ client_type: 'public', token_endpoint_auth_method: 'client_secret_basic' }, 'is inconsistent with'],
  ] as const)('An invalid client is rejected: %o', async ([fields, message]) => {
    const body = { client_name: 'Planner', redirect_uris: [REDIRECT_URI], ...fields };
    for (const path of ['/admin/oauth/clients', '/oauth/clients/register']) {
      const response = await callAuth(site, 'POST', path, body);
      expect(response).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
      expect(response.body['message']).toContain(message);
    }
  });

  test('Loopback addresses and custom URL schemes are allowed', async () => {
    const redirect_uris = [
      'http://localhost:3000/cb',
      'http://127.0.0.1/cb',
      'http://[::1]:9/cb',
      'com.example.app:/cb',
    ];
    expect((await newClient({ redirect_uris })).redirect_uris).toEqual(redirect_uris);
  });

  test('Clients can register themselves only if dynamic registration is enabled', async () => {
    const body = {
      redirect_uris: ['http://127.0.0.1:7777/cb'],
      client_name: 'Editor',
      token_endpoint_auth_method: 'none',
    };
    const registered = await callAuth(site, 'POST', '/oauth/clients/register', body, { asService: false });
    expect(registered).toMatchObject({ status: 201, body: { registration_type: 'dynamic', client_type: 'public' } });
    expect(registered.body).not.toHaveProperty('client_secret');
    const withoutRegistration = await startTestBackend({ AUTH_OAUTH_SERVER: 'on' });
    const response = await callAuth(withoutRegistration, 'POST', '/oauth/clients/register', body, { asService: false });
    expect(response).toMatchObject({ status: 403, body: { code: 'oauth_dynamic_client_registration_disabled' } });
    const discovery = await callAuth(withoutRegistration, 'GET', '/.well-known/oauth-authorization-server', undefined, {
      asService: false,
    });
    expect(discovery.body).not.toHaveProperty('registration_endpoint');
    await withoutRegistration.close();
  });
});

test('The discovery documents list all endpoints', async () => {
  const paths = ['/.well-known/oauth-authorization-server', '/.well-known/openid-configuration'];
  for (const path of paths) {
    const { body } = await callAuth(site, 'GET', path, undefined, { asService: false });
    expect(body).toMatchObject({
      issuer: `${site.url}/auth/v1`,
      token_endpoint: `${site.url}/auth/v1/oauth/token`,
      registration_endpoint: `${site.url}/auth/v1/oauth/clients/register`,
      code_challenge_methods_supported: ['S256', 'plain'],
    });
    expect(await (await fetch(`${site.url}${path}/auth/v1`)).json()).toEqual(body);
  }
});

test('All endpoints return 404 if the OAuth server is disabled', async () => {
  const disabled = await startTestBackend();
  for (const [method, path] of [
    ['GET', '/admin/oauth/clients'],
    ['POST', '/oauth/clients/register'],
    ['GET', '/oauth/authorize'],
    ['GET', '/oauth/authorizations/x'],
    ['POST', '/oauth/authorizations/x/consent'],
    ['POST', '/oauth/token'],
    ['GET', '/oauth/userinfo'],
    ['GET', '/user/oauth/grants'],
    ['GET', '/.well-known/oauth-authorization-server'],
  ] as const) {
    expect(await callAuth(disabled, method, path)).toMatchObject({ status: 404, body: { code: 'feature_disabled' } });
  }
  await disabled.close();
});
