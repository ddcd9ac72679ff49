/** OAuth applications, and attackers that impersonate them, cannot get more access than a user authorized. */
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PUBLISHABLE_KEY } from '../../packages/backend/src/http/keys.ts';
import {
  type AuthorizationRequest,
  authorizeApplication,
  basicAuthorization,
  createSignedInUser,
  REDIRECT_URI,
  registerApplication,
  requestTokens,
} from '../support/oauth-client.ts';
import { callAuth } from '../support/single-sign-on.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';

let site: TestBackend;
beforeAll(async () => {
  site = await startTestBackend({ AUTH_OAUTH_SERVER: 'on', AUTH_OAUTH_REGISTRATION: 'on', AUTH_MANUAL_LINKING: 'on' });
});
afterAll(() => site.close());

type Application = Awaited<ReturnType<typeof registerApplication>>;

/** Creates an authorized request. @returns its code */
async function newCode(application: Application, user: Awaited<ReturnType<typeof createSignedInUser>>) {
  const authorization = await application.begin();
  const { data, error } = await user.client.auth.oauth.approveAuthorization(authorization.authorizationId);
  if (error) throw error;
  return { authorization, code: new URL(data.redirect_url).searchParams.get('code') ?? '' };
}

const exchange = (
  application: Application,
  code: string,
  authorization: AuthorizationRequest,
  changes: Record<string, string> = {},
) =>
  requestTokens(
    site,
    {
      grant_type: 'authorization_code',
      code,
      redirect_uri: REDIRECT_URI,
      code_verifier: authorization.verifier,
      ...changes,
    },
    basicAuthorization(application.client.client_id, application.client.client_secret ?? ''),
  );

test('A code can be exchanged once, even by concurrent requests', async () => {
  const [application, user] = [await registerApplication(site), await createSignedInUser(site)];
  const { authorization, code } = await newCode(application, user);
  const responses = await Promise.all([
    exchange(application, code, authorization),
    exchange(application, code, authorization),
  ]);
  expect(responses.map(({ status }) => status).sort()).toEqual([200, 400]);
  expect(await exchange(application, code, authorization)).toMatchObject({
    status: 400,
    body: { error: 'invalid_grant' },
  });
});

test('Reusing a code ends only the session that was started with it', async () => {
  const [application, user] = [await registerApplication(site), await createSignedInUser(site)];
  const earlierTokens = await authorizeApplication(application, user);
  const { authorization, code } = await newCode(application, user);
  const { body } = await exchange(application, code, authorization);
  const fetchStatus = async (token: unknown) =>
    (await fetch(`${site.url}/auth/v1/user`, { headers: { authorization: `Bearer ${token}` } })).status;
  expect(await fetchStatus(body['access_token'])).toBe(200);
  await exchange(await registerApplication(site), code, authorization);
  expect(await fetchStatus(body['access_token'])).toBe(200);
  await exchange(application, code, authorization);
  expect(await fetchStatus(body['access_token'])).toBe(403);
  expect(await fetchStatus(earlierTokens.access_token)).toBe(200);
  expect((await user.client.auth.getUser()).error).toBeNull();
});

test('A code is rejected for another client, without the verifier, with another redirect URI, and after its expiry', async () => {
  const [application, otherApp] = [await registerApplication(site), await registerApplication(site)];
  const user = await createSignedInUser(site);
  const attempts: ((code: string, authorization: AuthorizationRequest) => ReturnType<typeof exchange>)[] = [
    (code, authorization) => exchange(otherApp, code, authorization),
    (code, authorization) => exchange(application, code, authorization, { code_verifier: '' }),
    (code, authorization) => exchange(application, code, authorization, { code_verifier: 'v'.repeat(43) }),
    (code, authorization) => exchange(application, code, authorization, { redirect_uri: 'https://evil.example/' }),
    (code, authorization) => exchange(application, code, authorization, { resource: 'https://evil.example/' }),
    async (code, authorization) => {
      await site.backend.database.query(
        `update auth.oauth_authorizations set created_at = now() - interval '10 minutes', expires_at = now() - interval '1 second'`,
      );
      return exchange(application, code, authorization);
    },
  ];
  for (const attempt of attempts) {
    const { authorization, code } = await newCode(application, user);
    expect(await attempt(code, authorization)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    // The failed attempt invalidates the code, even if another client made it.
    expect(await exchange(application, code, authorization)).toMatchObject({
      status: 400,
      body: { error: 'invalid_grant' },
    });
  }
  const { authorization, code } = await newCode(application, user);
  expect(await exchange(application, code, authorization)).toMatchObject({ status: 200 });
});

test('A request belongs to the first user who opened it, and cannot be opened without an account', async () => {
  const application = await registerApplication(site);
  const [ada, eve] = [await createSignedInUser(site), await createSignedInUser(site)];
  const { authorizationId } = await application.begin();
  const anonymous = await callAuth(site, 'GET', `/oauth/authorizations/${authorizationId}`, undefined, {
    asService: false,
  });
  expect(anonymous.status).toBe(401);
  expect((await ada.client.auth.oauth.getAuthorizationDetails(authorizationId)).error).toBeNull();
  const attempts = [
    eve.client.auth.oauth.getAuthorizationDetails(authorizationId),
    eve.client.auth.oauth.approveAuthorization(authorizationId),
    eve.client.auth.oauth.denyAuthorization(authorizationId),
    ada.client.auth.oauth.getAuthorizationDetails('f'.repeat(32)),
  ];
  for (const attempt of attempts) {
    expect((await attempt).error).toMatchObject({ status: 404, code: 'oauth_authorization_not_found' });
  }
  expect((await ada.client.auth.oauth.approveAuthorization(authorizationId)).error).toBeNull();
});

test('A request can be answered once, even by concurrent requests, and cannot be answered after it has expired', async () => {
  const [application, user] = [await registerApplication(site), await createSignedInUser(site)];
  const { authorizationId } = await application.begin();
  const responses = await Promise.all([
    user.client.auth.oauth.approveAuthorization(authorizationId),
    user.client.auth.oauth.approveAuthorization(authorizationId),
    user.client.auth.oauth.denyAuthorization(authorizationId),
  ]);
  expect(responses.filter(({ error }) => error === null)).toHaveLength(1);
  const { authorizationId: expiredId } = await application.begin();
  await site.backend.database.query(
    `update auth.oauth_authorizations set created_at = now() - interval '20 minutes', expires_at = now() - interval '1 second'
     where authorization_id = $1`,
    [expiredId],
  );
  const response = await user.client.auth.oauth.approveAuthorization(expiredId);
  expect(response.error).toMatchObject({ status: 404, code: 'oauth_authorization_not_found' });
});

test("An application's token can change neither the account nor its authorizations", async () => {
  const [application, user] = [await registerApplication(site), await createSignedInUser(site)];
  const { access_token } = await authorizeApplication(application, user);
  const { authorizationId } = await application.begin();
  const call = async (method: string, path: string, body?: object) => {
    const response = await fetch(`${site.url}/auth/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    return response.status;
  };
  for (const [method, path, body] of [
    ['PUT', '/user', { data: { name: 'Eve' } }],
    ['PUT', '/user', { password: 'Another-2026-pass', current_password: 'Fjord-2026-signal' }],
    ['GET', `/oauth/authorizations/${authorizationId}`],
    ['POST', `/oauth/authorizations/${authorizationId}/consent`, { action: 'approve' }],
    ['GET', '/user/oauth/grants'],
    ['DELETE', `/user/oauth/grants?client_id=${application.client.client_id}`],
    ['POST', '/factors', { factor_type: 'totp' }],
    ['GET', '/reauthenticate'],
    ['GET', '/user/identities/authorize?provider=github'],
    ['DELETE', `/user/identities/${crypto.randomUUID()}`],
    ['DELETE', `/factors/${crypto.randomUUID()}`],
    ['GET', '/passkeys'],
    ['POST', '/passkeys/registration/options', {}],
    ['POST', '/logout?scope=global'],
    ['POST', '/logout?scope=others'],
  ] as const) {
    expect([path, await call(method, path, body)]).toEqual([path, 403]);
  }
  expect((await user.client.auth.getUser()).error).toBeNull();
  expect(await call('GET', '/user')).toBe(200);
  expect(await call('POST', '/logout?scope=local')).toBe(204);
  expect(await call('GET', '/user')).toBe(403);
  expect((await user.client.auth.getUser()).error).toBeNull();
});

test('Refresh tokens are bound to their client, and reusing a token ends only the session of that application', async () => {
  const [application, otherApp] = [await registerApplication(site), await registerApplication(site)];
  const user = await createSignedInUser(site);
  const tokens = await authorizeApplication(application, user);
  const siteToken = (await user.client.auth.getSession()).data.session?.refresh_token ?? '';
  const refresh = ({ client }: Application, refresh_token: string) =>
    requestTokens(
      site,
      { grant_type: 'refresh_token', refresh_token },
      basicAuthorization(client.client_id, client.client_secret ?? ''),
    );
  const response = await callAuth(site, 'POST', '/token?grant_type=refresh_token', {
    refresh_token: tokens.refresh_token,
  });
  expect(response).toMatchObject({ status: 400, body: { code: 'refresh_token_not_found' } });
  expect(await refresh(otherApp, tokens.refresh_token ?? '')).toMatchObject({ body: { error: 'invalid_grant' } });
  expect(await refresh(application, siteToken)).toMatchObject({ body: { error: 'invalid_grant' } });

  const refreshed = await refresh(application, tokens.refresh_token ?? '');
  expect(refreshed.status).toBe(200);
  await site.backend.database.query(
    `update auth.refresh_tokens set updated_at = now() - interval '1 hour' where token = $1`,
    [tokens.refresh_token],
  );
  expect(await refresh(application, tokens.refresh_token ?? '')).toMatchObject({ body: { error: 'invalid_grant' } });
  expect(await refresh(application, String(refreshed.body['refresh_token']))).toMatchObject({ status: 400 });
  expect((await user.client.auth.getUser()).error).toBeNull();
});

test('An ID token is not accepted as an access token', async () => {
  const [application, user] = [await registerApplication(site), await createSignedInUser(site)];
  await site.service.from('user_roles').insert({ user_id: user.id, role: 'client', approved: true }).throwOnError();
  const { id_token = '', access_token } = await authorizeApplication(application, user);
  const response = await fetch(`${site.url}/auth/v1/user`, { headers: { authorization: `Bearer ${id_token}` } });
  expect(response.status).toBe(403);
  const readRoles = (token: string) => createClientWith(token).from('user_roles').select();
  expect((await readRoles(id_token)).data ?? []).toEqual([]);
  expect((await readRoles(access_token)).data).toEqual([]);
  expect((await user.client.from('user_roles').select()).data).toHaveLength(1);
});

const createClientWith = (token: string) => createClient(site.url, PUBLISHABLE_KEY, { accessToken: async () => token });

/** Creates an admin, and an application that they authorized with every scope. */
async function newAdminWithApplication() {
  const [application, admin] = [await registerApplication(site), await createSignedInUser(site)];
  await site.service.from('user_roles').insert({ user_id: admin.id, role: 'admin', approved: true }).throwOnError();
  const tokens = await authorizeApplication(application, admin, { scope: 'openid email profile phone' });
  return { admin, application, tokens, asApplication: createClientWith(tokens.access_token) };
}

/** Actions that an application cannot take for an admin. Each returns data if it succeeds. */
const ACTIONS: [name: string, act: (client: SupabaseClient, id: string) => PromiseLike<{ data: unknown }>][] = [
  ['creates a feed of the bookings', (client) => client.rpc('make_booking_feed')],
  ['reads when the feed was created', (client) => client.rpc('booking_feed_created_at')],
  ['lists people', (client) => client.rpc('list_people')],
  ['reads a person', (client, id) => client.rpc('read_person', { _user_id: id })],
  ['reads addresses', (client, id) => client.rpc('user_emails', { _user_ids: [id] })],
  ...['lead_webhook_url', 'chat_instructions', 'site_name'].map((key): (typeof ACTIONS)[number] => [
    `sets ${key}`,
    (client) =>
      client
        .from('site_settings')
        .upsert({ setting_key: key, setting_value: 'https://hooks.example/in' }, { onConflict: 'setting_key' })
        .select('setting_key'),
  ]),
  [
    'imports a calendar',
    (client) =>
      client
        .from('booking_calendars')
        .insert({ label: 'Own', address: `https://calendar.example/${crypto.randomUUID()}.ics` })
        .select('id'),
  ],
  ['reads leads', (client) => client.from('leads').select('id')],
  ['reads their own role', (client) => client.from('user_roles').select('role')],
  [
    'writes a post',
    (client) => client.from('posts').insert({ title: 'News', slug: crypto.randomUUID(), status: 'draft' }).select('id'),
  ],
  [
    'uploads a picture',
    (client) =>
      client.storage
        .from('content-media')
        .upload(`${crypto.randomUUID()}.png`, new Blob([PIXEL], { type: 'image/png' })),
  ],
];

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

test.each(ACTIONS)("An application of an admin never %s, but the admin's own browser does", async (_name, run) => {
  const { admin, asApplication } = await newAdminWithApplication();
  await site.service.from('leads').insert({ source: 'contact', name: 'Ada', email: 'ada@example.com' }).throwOnError();
  const isEmptyResult = (data: unknown) => data === null || (Array.isArray(data) && data.length === 0);
  expect((await run(admin.client, admin.id)).data).toSatisfy((data) => !isEmptyResult(data));
  expect((await run(asApplication, admin.id)).data).toSatisfy(isEmptyResult);
});

test('An application gets the claims of its scopes, and reads the same data as visitors', async () => {
  const { admin, application, tokens, asApplication } = await newAdminWithApplication();
  await site.service.from('faq').insert({ question: 'Open?', answer: 'Yes', status: 'published' }).throwOnError();
  expect((await asApplication.from('faq').select('question').eq('question', 'Open?')).data).toHaveLength(1);
  expect(await application.userInfo(tokens.access_token, admin.id)).toMatchObject({
    sub: admin.id,
    email: admin.email,
  });
  const fetchProfile = async (scope: string) => {
    const { access_token } = await authorizeApplication(application, admin, { scope });
    const response = await fetch(`${site.url}/auth/v1/user`, { headers: { authorization: `Bearer ${access_token}` } });
    return { user: await response.json(), claims: decodeJwt(access_token) };
  };
  await admin.client.auth.updateUser({ data: { full_name: 'Ada', address: 'A street' } });
  const full = await fetchProfile('openid email profile');
  for (const profile of [full.user, full.claims]) {
    expect(profile).toMatchObject({ email: admin.email, user_metadata: { full_name: 'Ada' }, app_metadata: {} });
    expect(JSON.stringify(profile)).not.toContain('A street');
  }
  const minimal = await fetchProfile('openid');
  expect(minimal.user).toMatchObject({ id: admin.id, identities: [] });
  expect(JSON.stringify(minimal)).not.toMatch(new RegExp(`Ada|${admin.email}`));
  const account = (await admin.client.auth.getUser()).data.user;
  expect(account).toMatchObject({ email: admin.email, user_metadata: { address: 'A street' } });
});

test("Deleting the account or the client ends the application's access", async () => {
  const fetchStatus = async (token: string) =>
    (await fetch(`${site.url}/auth/v1/user`, { headers: { authorization: `Bearer ${token}` } })).status;
  const first = await newAdminWithApplication();
  const second = await newAdminWithApplication();
  expect([await fetchStatus(first.tokens.access_token), await fetchStatus(second.tokens.access_token)]).toEqual([
    200, 200,
  ]);
  await site.service.auth.admin.deleteUser(first.admin.id);
  await site.service.auth.admin.oauth.deleteClient(second.application.client.client_id);
  expect([await fetchStatus(first.tokens.access_token), await fetchStatus(second.tokens.access_token)]).toEqual([
    403, 403,
  ]);
  await expect(first.application.refresh(first.tokens.refresh_token ?? '')).rejects.toThrow();
  await expect(second.application.refresh(second.tokens.refresh_token ?? '')).rejects.toThrow();
  expect((await second.admin.client.auth.getUser()).error).toBeNull();
});

test('Applications of a banned user get no tokens, and a second factor is not passed on to applications', async () => {
  const [application, user] = [await registerApplication(site), await createSignedInUser(site)];
  await site.backend.database.query(`update auth.sessions set aal = 'aal2' where user_id = $1`, [user.id]);
  const tokens = await authorizeApplication(application, user);
  expect(decodeJwt(tokens.access_token)['aal']).toBe('aal1');
  const { authorization, code } = await newCode(application, user);
  await site.service.auth.admin.updateUserById(user.id, { ban_duration: '24h' });
  expect(await exchange(application, code, authorization)).toMatchObject({
    status: 400,
    body: { error: 'invalid_grant' },
  });
  await expect(application.refresh(tokens.refresh_token ?? '')).rejects.toThrow();
});

test('Neither secrets nor codes can be read from the database, and the network of an application is not stored', async () => {
  const [application, user] = [await registerApplication(site), await createSignedInUser(site)];
  const readKnownNetworks = async () =>
    (await site.backend.database.query('select from backend.known_networks where user_id = $1', [user.id])).rowCount;
  await site.backend.database.query('delete from backend.known_networks where user_id = $1', [user.id]);
  const { authorization, code } = await newCode(application, user);
  const { rows } = await site.backend.database.query<{ stored: string }>(
    `select to_jsonb(a)::text || to_jsonb(c)::text as stored
     from auth.oauth_authorizations a join auth.oauth_clients c on c.id = a.client_id where a.user_id = $1`,
    [user.id],
  );
  expect(rows[0]?.stored).not.toContain(code);
  expect(rows[0]?.stored).not.toContain(application.client.client_secret);
  expect(await exchange(application, code, authorization)).toMatchObject({ status: 200 });
  expect(await readKnownNetworks()).toBe(0);
});

test('A repeated parameter is rejected', async () => {
  const { client } = await registerApplication(site);
  const query = new URLSearchParams({ client_id: client.client_id, redirect_uri: REDIRECT_URI });
  query.append('redirect_uri', 'https://evil.example/');
  const response = await fetch(`${site.url}/auth/v1/oauth/authorize?${query}`, { redirect: 'manual' });
  expect(response.status).toBe(400);
  const tokenResponse = await fetch(`${site.url}/auth/v1/oauth/token`, {
    method: 'POST',
    body: `grant_type=authorization_code&client_id=${client.client_id}&client_id=other`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  expect(await tokenResponse.json()).toMatchObject({ error: 'invalid_request' });
});

test('The rate limit applies to registering clients and requesting access', async () => {
  const limitedSite = await startTestBackend({
    AUTH_OAUTH_SERVER: 'on',
    AUTH_OAUTH_REGISTRATION: 'on',
    RATE_LIMITS: 'on',
  });
  const register = () =>
    callAuth(limitedSite, 'POST', '/oauth/clients/register', { redirect_uris: [REDIRECT_URI] }, { asService: false });
  const statuses = [];
  for (let n = 0; n < 21; n++) statuses.push((await register()).status);
  expect(statuses).toEqual([...Array(20).fill(201), 429]);
  const responses = [];
  for (let n = 0; n < 101; n++) {
    responses.push((await fetch(`${limitedSite.url}/auth/v1/oauth/authorize`, { redirect: 'manual' })).status);
  }
  expect(responses).toEqual([...Array(100).fill(400), 429]);
  await limitedSite.close();
});
