/** ID tokens that native apps obtain themselves, and non-standard providers. The issuers are faked at the network. */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createFakeIssuer, type FakeIssuer, stubIssuerRequests } from '../support/fake-issuers.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';
import { newBrowser, parseFragment, SITE } from '../support/test-browser.ts';

const TENANT = '11111111-2222-3333-4444-555555555555';
const OTHER_TENANT = '99999999-2222-3333-4444-555555555555';
const MICROSOFT = 'https://login.microsoftonline.com';

let google: FakeIssuer;
let apple: FakeIssuer;
let linkedin: FakeIssuer;
let tenant: FakeIssuer;
let site: TestBackend;
beforeAll(async () => {
  stubIssuerRequests();
  google = await createFakeIssuer('https://accounts.google.com', { audience: 'google-web' });
  apple = await createFakeIssuer('https://appleid.apple.com', { audience: 'apple-web' });
  linkedin = await createFakeIssuer('https://www.linkedin.com/oauth', { audience: 'linkedin-web' });
  tenant = await createFakeIssuer(`${MICROSOFT}/${TENANT}/v2.0`, { audience: 'azure-web' });
  site = await startTestBackend({
    SITE_URL: SITE,
    AUTH_MANUAL_LINKING: 'on',
    AUTH_CONFIRM_EMAIL: 'on',
    AUTH_PROVIDERS: JSON.stringify([
      { name: 'google', client_id: ['google-web', 'google-android'] },
      { name: 'apple', client_id: 'apple-web', client_secret: 'apple-secret' },
      { name: 'linkedin_oidc', client_id: 'linkedin-web', client_secret: 'linkedin-secret' },
      { name: 'azure', client_id: 'azure-web', client_secret: 'azure-secret' },
    ]),
  });
});
afterAll(async () => {
  await site.close();
  vi.unstubAllGlobals();
});

const newEmail = () => `person-${crypto.randomUUID().slice(0, 8)}@example.com`;
const sha256 = (text: string) => createHash('sha256').update(text).digest();

async function grant(fields: Record<string, unknown>, token?: string) {
  const response = await fetch(`${site.url}/auth/v1/token?grant_type=id_token`, {
    method: 'POST',
    headers: token ? { authorization: `Bearer ${token}` } : {},
    body: JSON.stringify(fields),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

describe('signInWithIdToken', () => {
  test("A Google token with the app's nonce signs a new user up and signs them in again later", async () => {
    const email = newEmail();
    const sub = crypto.randomUUID();
    const nonce = crypto.randomUUID();
    const claims = { sub, email, email_verified: true, name: 'Ada', picture: 'https://a.example/p', hd: 'a.example' };
    const token = await google.idToken({ ...claims, nonce: sha256(nonce).toString('hex') });
    const first = await site.visitor.auth.signInWithIdToken({ provider: 'google', token, nonce });
    expect(first.error).toBeNull();
    expect(first.data.user).toMatchObject({
      email,
      app_metadata: { provider: 'google', providers: ['google'] },
      user_metadata: {
        iss: 'https://accounts.google.com',
        sub,
        provider_id: sub,
        full_name: 'Ada',
        avatar_url: 'https://a.example/p',
        custom_claims: { hd: 'a.example' },
        email_verified: true,
      },
    });
    const appToken = await google.idToken({ ...claims, aud: ['google-android'], email_verified: 'true' });
    const second = await site.visitor.auth.signInWithIdToken({ provider: 'google', token: appToken });
    expect(second.data.user?.id).toBe(first.data.user?.id);
    const byIssuer = await grant({ issuer: 'https://accounts.google.com', client_id: 'x', id_token: appToken });
    expect(byIssuer.status).toBe(200);
  });

  test('The access token is checked against the at_hash claim', async () => {
    const accessToken = 'an-access-token';
    const at_hash = sha256(accessToken).subarray(0, 16).toString('base64url');
    const token = await google.idToken({ email: newEmail(), email_verified: true, at_hash });
    const signIn = (access_token: string) =>
      site.visitor.auth.signInWithIdToken({ provider: 'google', token, access_token });
    expect((await signIn('another')).error?.message).toBe('Bad ID token');
    expect((await signIn(accessToken)).error).toBeNull();
  });

  test("With link_identity, the identity is linked to the caller's account, which requires a session", async () => {
    const { id, token: session } = await site.signedIn('client');
    const token = await google.idToken({ email: newEmail(), email_verified: true });
    const fields = { provider: 'google', id_token: token, link_identity: true };
    expect(await grant(fields)).toEqual({
      status: 400,
      body: {
        error: 'invalid request',
        error_description: 'Linking requires a valid user access token in Authorization',
      },
    });
    const linked = await grant(fields, session);
    expect(linked).toMatchObject({ status: 200, body: { user: { id, identities: [{ provider: 'google' }] } } });
    expect((await grant(fields, session)).body).toMatchObject({
      error_code: 'identity_already_exists',
      msg: 'Identity is already linked',
    });
    const otherUser = await site.signedIn('client');
    expect((await grant(fields, otherUser.token)).body['msg']).toBe('Identity is already linked to another user');
    expect((await site.visitor.auth.getUser(session)).data.user?.identities).toHaveLength(1);
  });

  test("An issuer's keys and endpoints are fetched only once", async () => {
    const before = google.discoveries;
    for (let n = 0; n < 3; n++)
      await grant({ provider: 'google', id_token: await google.idToken({}, { kid: `${n}` }) });
    expect(google.discoveries).toBe(before);
  });

  test.each([
    [{}, 'id_token required'],
    [{ id_token: 'x' }, 'provider or client_id and issuer required'],
    [{ id_token: 'x', provider: 'google' }, 'Bad ID token'],
    [{ id_token: 'a.b.c', provider: 'google' }, 'Bad ID token'],
  ])('%j is rejected', async (fields, error_description) => {
    expect(await grant(fields)).toEqual({ status: 400, body: { error: 'invalid request', error_description } });
  });

  test.each([
    ['github', 'validation_failed', 'Custom OIDC provider "github" not allowed'],
    ['custom:unknown', 'validation_failed', 'Custom provider "custom:unknown" not found'],
    ['https://evil.example', 'validation_failed', 'Custom OIDC provider "https://evil.example" not allowed'],
  ])('The provider %s is rejected', async (provider, error_code, msg) => {
    expect(await grant({ provider, id_token: 'x' })).toEqual({ status: 400, body: { code: 400, error_code, msg } });
  });

  test('A disabled provider is rejected with a message that names it', async () => {
    const withoutProviders = await startTestBackend();
    const response = await withoutProviders.visitor.auth.signInWithIdToken({ provider: 'google', token: 'x' });
    expect(response.error).toMatchObject({
      status: 400,
      code: 'provider_disabled',
      message: 'Provider (issuer "https://accounts.google.com") is not enabled',
    });
    await withoutProviders.close();
  });

  test('Without a client secret, the browser is not redirected to the provider', async () => {
    const response = await fetch(`${site.url}/auth/v1/authorize?provider=google`, { redirect: 'manual' });
    expect(await response.json()).toMatchObject({ msg: 'Unsupported provider: missing OAuth secret' });
  });
});

describe('Forged or foreign tokens', () => {
  const grantClaims = async (claims: object, header?: { alg?: string; kid?: string }) =>
    (await grant({ provider: 'google', id_token: await google.idToken({ email: newEmail(), ...claims }, header) }))
      .body;

  test('A token for another audience is rejected', async () => {
    expect(await grantClaims({ aud: 'another-app' })).toEqual({
      error: 'invalid request',
      error_description: 'Unacceptable audience in id_token: [another-app]',
    });
  });

  test.each([
    ['from another issuer', { iss: 'https://appleid.apple.com' }],
    ['that has expired', { exp: Math.floor(Date.now() / 1000) - 120 }],
    ['that is not valid yet', { nbf: Math.floor(Date.now() / 1000) + 120 }],
    ['without an expiry', { exp: undefined }],
    ['without a subject', { sub: '' }],
  ])('A token %s is rejected', async (_label, claims) => {
    expect(await grantClaims(claims)).toEqual({ error: 'invalid request', error_description: 'Bad ID token' });
  });

  test('Tokens are rejected if they are unsigned or signed with another key or with the public key as a secret', async () => {
    const claims = { email: newEmail(), iss: google.issuer, aud: 'google-web' };
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const [, payload = '', signature = ''] = (await google.idToken(claims)).split('.');
    for (const id_token of [
      await apple.idToken(claims),
      `${part({ alg: 'none' })}.${payload}.`,
      `${part({ alg: 'HS256', kid: 'key' })}.${payload}.${signature}`,
      `${part({ alg: 'RS256', kid: 'key', jwk: { kty: 'RSA' } })}.${payload}.${signature}`,
    ]) {
      expect((await grant({ provider: 'google', id_token })).body['error_description']).toBe('Bad ID token');
    }
  });

  test('A token is rejected if the nonce is missing on one side or does not match', async () => {
    const missing = 'Passed nonce and nonce in id_token should either both exist or not.';
    const nonce = 'a-nonce';
    const withNonce = await google.idToken({ email: newEmail(), nonce: sha256(nonce).toString('hex') });
    const withoutNonce = await google.idToken({ email: newEmail() });
    const plain = await google.idToken({ email: newEmail(), nonce });
    const grantBody = async (id_token: string, sentNonce?: string) =>
      (await grant({ provider: 'google', id_token, nonce: sentNonce })).body;
    expect(await grantBody(withNonce)).toEqual({ error: 'invalid request', error_description: missing });
    expect(await grantBody(withoutNonce, nonce)).toEqual({ error: 'invalid request', error_description: missing });
    for (const [token, sentNonce] of [
      [withNonce, 'another'],
      [plain, nonce],
    ] as const) {
      expect(await grantBody(token, sentNonce)).toEqual({
        error: 'invalid nonce',
        error_description: 'Nonces mismatch',
      });
    }
  });

  test('A token is rejected if its issuer only looks like a Microsoft tenant', async () => {
    for (const iss of [
      `${MICROSOFT}.evil.example/${TENANT}/v2.0`,
      `${MICROSOFT}/../evil/v2.0`,
      'https://evil.example',
    ]) {
      const response = await grant({ provider: 'azure', id_token: await tenant.idToken({ iss }) });
      expect(response.body['msg']).toBe('Detected ID token issuer is not an Azure ID token issuer');
    }
  });
});

/** Starts a sign-in at a fake provider and redirects back to the site with an authorization code. */
async function startSignIn(provider: string) {
  const browser = newBrowser(site);
  const start = await browser.fetch(`${site.url}/auth/v1/authorize?provider=${provider}&redirect_to=${SITE}/auth`);
  const authorizeUrl = new URL(start.headers.get('location') ?? '');
  const callbackParams = new URLSearchParams({ code: 'a-code', state: authorizeUrl.searchParams.get('state') ?? '' });
  return { sent: authorizeUrl.searchParams, url: await browser.open(`${site.url}/auth/v1/callback?${callbackParams}`) };
}

describe('Non-standard providers', () => {
  test('LinkedIn is sent neither a code challenge nor a nonce', async () => {
    const email = newEmail();
    linkedin.person = { sub: 'abc', email, email_verified: 'true', given_name: 'Ada', family_name: 'Lovelace' };
    const { sent, url } = await startSignIn('linkedin_oidc');
    expect([sent.has('nonce'), sent.has('code_challenge')]).toEqual([false, false]);
    expect(Object.fromEntries(linkedin.forms.at(-1) ?? [])).toEqual({
      grant_type: 'authorization_code',
      code: 'a-code',
      redirect_uri: `${SITE}/auth/v1/callback`,
      client_id: 'linkedin-web',
      client_secret: 'linkedin-secret',
    });
    const { data } = await site.visitor.auth.getUser(parseFragment(url)['access_token']);
    expect(data.user).toMatchObject({ email, user_metadata: { name: 'Ada Lovelace' } });
  });

  test('Apple responds with a form post', async () => {
    const browser = newBrowser(site);
    const start = await browser.fetch(`${site.url}/auth/v1/authorize?provider=apple&redirect_to=${SITE}/auth`);
    const parameters = new URL(start.headers.get('location') ?? '').searchParams;
    expect(parameters.get('response_mode')).toBe('form_post');
    const email = newEmail();
    apple.person = { sub: 'apple-1', email, email_verified: true, nonce: parameters.get('nonce') };
    const state = parameters.get('state') ?? '';
    // The form is posted from another site, so the browser sends no cookie.
    const callback = await fetch(`${site.url}/auth/v1/callback`, {
      method: 'POST',
      body: new URLSearchParams({ code: 'a-code', state, id_token: 'x', user: '{}' }),
      redirect: 'manual',
    });
    expect(callback.status).toBe(303);
    const url = await browser.open(callback.headers.get('location') ?? '');
    const { data } = await site.visitor.auth.getUser(parseFragment(url)['access_token']);
    expect(data.user).toMatchObject({ email, app_metadata: { provider: 'apple' } });
  });

  test('An ID token with the nonce of another sign-in is rejected', async () => {
    apple.person = { sub: 'apple-2', email: newEmail(), email_verified: true, nonce: 'another' };
    const { url } = await startSignIn('apple');
    expect(parseFragment(url)).toMatchObject({ error_description: 'Unable to exchange external code: a-co' });
  });
});

describe('Microsoft', () => {
  const token = (claims: object) => tenant.idToken({ tid: TENANT, ...claims });
  const signIn = async (claims: object) => grant({ provider: 'azure', id_token: await token(claims) });

  test('an email address is verified if xms_edov is set', async () => {
    const email = newEmail();
    await site.service.auth.admin.createUser({ email, email_confirm: true });
    expect(await signIn({ email, xms_edov: true })).toMatchObject({ status: 200, body: { user: { email } } });
  });

  test.each([{}, { xms_edov: false }, { xms_edov: '0' }, { email_verified: true }])(
    'an email address is not verified with %j, because an admin of any tenant may have entered it',
    async (claims) => {
      const email = newEmail();
      await site.service.auth.admin.createUser({ email, email_confirm: true });
      expect(await signIn({ email, ...claims })).toMatchObject({
        status: 422,
        body: {
          error_code: 'provider_email_needs_verification',
          msg: 'Unverified email with azure. Verify the email with azure in order to sign in',
        },
      });
    },
  );

  test('a provider for a single tenant trusts its email addresses and rejects other tenants', async () => {
    const singleTenant = await startTestBackend({
      AUTH_PROVIDERS: JSON.stringify([{ name: 'azure', client_id: 'azure-web', tenant: TENANT }]),
    });
    const foreign = await createFakeIssuer(`${MICROSOFT}/${OTHER_TENANT}/v2.0`, { audience: 'azure-web' });
    const email = newEmail();
    const signInWith = async (idToken: string) =>
      singleTenant.visitor.auth.signInWithIdToken({ provider: 'azure', token: idToken });
    expect((await signInWith(await token({ email }))).data.user?.email).toBe(email);
    const response = await signInWith(await foreign.idToken({ email, tid: TENANT }));
    expect(response.error?.message).toBe('Detected ID token issuer is not an Azure ID token issuer');
    await singleTenant.close();
  });
});
