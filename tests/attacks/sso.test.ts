/**
 * Forged, stolen and manipulated SAML responses. Each is rejected, and the same sign-in without the attack succeeds.
 */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startIdentityProvider, type TestIdentityProvider } from '../support/identity-provider.ts';
import {
  beginSignIn,
  browserClient,
  callAuth,
  postSamlResponse,
  readTokens,
  register,
  type SignInRedirect,
  signIn,
} from '../support/single-sign-on.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';
import { insertVictim, VICTIM_EMAIL } from './saml-signature-wrapping.ts';

let site: TestBackend;
let idp: TestIdentityProvider;
const domain = 'corp.example';

beforeAll(async () => {
  site = await startTestBackend({
    AUTH_SAML: 'on',
    AUTH_REDIRECT_URLS: 'https://app.example/done',
    AUTH_MANUAL_LINKING: 'on',
  });
  idp = await startIdentityProvider();
  await register(site, idp, { domains: [domain] });
});
afterAll(async () => {
  await site.close();
  await idp.close();
});
beforeEach(() => {
  idp.person = { nameId: `${crypto.randomUUID().slice(0, 8)}@corp.example` };
});

async function readEmail({ params }: SignInRedirect): Promise<string | undefined> {
  const { data } = await browserClient(site).auth.getUser(params.get('access_token') ?? '');
  return data.user?.email;
}

/** Expects no session, and no account for the user in the attack. */
async function expectRejected(result: SignInRedirect, code = 'validation_failed'): Promise<void> {
  expect(result.status).toBe(303);
  expect(result.params.get('error_code')).toBe(code);
  expect(result.params.get('access_token')).toBeNull();
  const { rows } = await site.backend.database.query('select from auth.users where email = any ($1)', [
    [VICTIM_EMAIL, idp.person.nameId],
  ]);
  expect(rows).toHaveLength(0);
}

async function expectAccepted(result: SignInRedirect): Promise<void> {
  expect(await readEmail(result)).toBe(idp.person.nameId);
}

test('A response that is unsigned, or changed after signing, is rejected', async () => {
  await expectRejected(await signIn(site, idp, domain, { signed: 'nothing' }));
  await expectRejected(await signIn(site, idp, domain, { signed: 'assertion' }, insertVictim));
  await expectRejected(await signIn(site, idp, domain, { signed: 'response' }, insertVictim));
  await expectAccepted(await signIn(site, idp, domain));
});

test('A SHA-1 signature is rejected', async () => {
  await expectRejected(await signIn(site, idp, domain, { algorithm: 'http://www.w3.org/2000/09/xmldsig#rsa-sha1' }));
});

test('A signature by another identity provider is rejected, with its own issuer and with the registered one', async () => {
  const otherIdp = await startIdentityProvider();
  otherIdp.person = { nameId: VICTIM_EMAIL };
  const forgeries = [{ issuer: idp.entityId }, {}];
  for (const changes of forgeries) {
    const { id, relayState } = await beginSignIn(site, idp, { domain });
    await expectRejected(await postSamlResponse(site, otherIdp.respond(site.url, id, changes), relayState));
  }
  // The other provider cannot start a sign-in until it is registered. Then it signs in its own users.
  await expectRejected(await postSamlResponse(site, otherIdp.respond(site.url, undefined), ''), 'saml_idp_not_found');
  await register(site, otherIdp, { domains: ['other.example'] });
  const { id, relayState } = await beginSignIn(site, idp, { domain });
  await expectRejected(await postSamlResponse(site, otherIdp.respond(site.url, id), relayState));
  otherIdp.person = { nameId: 'bob@other.example' };
  expect(await readEmail(await postSamlResponse(site, otherIdp.respond(site.url, undefined), ''))).toBe(
    'bob@other.example',
  );
  await otherIdp.close();
});

test('A response is rejected if it is for another audience, recipient or destination, or if it has expired', async () => {
  for (const changes of [
    { audience: 'https://other.example/metadata' },
    { recipient: 'https://other.example/acs' },
    { destination: 'https://other.example/acs' },
    { expiresIn: -10 },
  ]) {
    await expectRejected(await signIn(site, idp, domain, changes));
  }
  // The clock skew can be three minutes.
  await expectAccepted(await signIn(site, idp, domain, { expiresIn: -1 }));
});

test('A response to another request is rejected, and an unsolicited response is rejected if there was a request', async () => {
  const { id: otherId } = await beginSignIn(site, idp, { domain });
  await expectRejected(await signIn(site, idp, domain, { inResponseTo: otherId }));
  // Only the assertion is signed, so the sender can change the response around it.
  const { id, relayState } = await beginSignIn(site, idp, { domain });
  const response = idp.respond(site.url, otherId).replace(otherId, id);
  await expectRejected(await postSamlResponse(site, response, relayState));
  const request = await beginSignIn(site, idp, { domain });
  await expectRejected(await postSamlResponse(site, idp.respond(site.url, undefined), request.relayState));
  // A response to a request cannot be presented as a sign-in that the provider initiated.
  await expectRejected(await postSamlResponse(site, idp.respond(site.url, request.id), ''));
  await expectAccepted(await signIn(site, idp, domain));
});

test('A response is accepted once, even by concurrent requests', async () => {
  const { id, relayState } = await beginSignIn(site, idp, { domain });
  const response = idp.respond(site.url, id);
  const result = await Promise.all([
    postSamlResponse(site, response, relayState),
    postSamlResponse(site, response, relayState),
  ]);
  expect(result.filter(({ params }) => params.has('access_token'))).toHaveLength(1);
  expect((await postSamlResponse(site, response, relayState)).params.get('error_code')).toBe(
    'saml_relay_state_not_found',
  );
});

test('An assertion of a provider-initiated sign-in is accepted once, even in two concurrent responses', async () => {
  const assertionId = `_${crypto.randomUUID()}`;
  const responses = [1, 2].map(() => idp.respond(site.url, undefined, { assertionId }));
  const result = await Promise.all(responses.map((response) => postSamlResponse(site, response, '')));
  expect(result.filter(({ params }) => params.has('access_token'))).toHaveLength(1);
  for (const response of responses) {
    expect((await postSamlResponse(site, response, '')).params.get('error_code')).toBe('validation_failed');
  }
});

test('Document types, entities and processing instructions are rejected', async () => {
  const doctypes = [
    '<!DOCTYPE r [<!ENTITY who "ceo@corp.example">]>',
    '<!DOCTYPE r [<!ENTITY who SYSTEM "file:///etc/passwd">]>',
    '<!DOCTYPE r SYSTEM "http://127.0.0.1:9/evil.dtd">',
    '<?xml-stylesheet href="http://127.0.0.1:9/"?>',
  ];
  for (const doctype of doctypes) {
    await expectRejected(await signIn(site, idp, domain, {}, (response) => `${doctype}${response}`));
  }
  const entity = (response: string) => `${doctypes[0]}${response.replace(/(<saml:NameID[^>]*>)[^<]+/, '$1&who;')}`;
  await expectRejected(await signIn(site, idp, domain, {}, entity));
  const nested = (response: string) =>
    response.replace('<samlp:Status>', `${'<a>'.repeat(9000)}${'</a>'.repeat(9000)}$&`);
  await expectRejected(await signIn(site, idp, domain, {}, nested));
  await expectAccepted(await signIn(site, idp, domain, {}, (response) => `<?xml version="1.0"?>${response}`));
});

test('A comment in the NameID does not truncate it', async () => {
  idp.person = { nameId: 'ceo@corp.example.evil.example' };
  const withComment = (response: string) => response.replace('ceo@corp.example.evil', 'ceo@corp.example<!-- -->.evil');
  const result = await signIn(site, idp, domain, {}, withComment);
  expect(await readEmail(result)).toBe('ceo@corp.example.evil.example');
});

test('An invalid response is rejected', async () => {
  for (const invalid of ['', '<', 'not xml', '<samlp:Response/>', '<Response xmlns="urn:x"/>']) {
    const { relayState } = await beginSignIn(site, idp, { domain });
    await expectRejected(await postSamlResponse(site, invalid, relayState));
  }
  await expectRejected(await postSamlResponse(site, idp.respond(site.url, undefined), 'neither id nor address'));
  const { relayState } = await beginSignIn(site, idp, { domain });
  const response = await fetch(`${site.url}/auth/v1/sso/saml/acs`, {
    method: 'POST',
    body: new URLSearchParams({ RelayState: relayState, SAMLResponse: '%%%' }),
    redirect: 'manual',
  });
  expect(response.headers.get('location')).toContain('not+a+valid+Base64');
});

test('A failed sign-in of the identity provider is not accepted as a successful one', async () => {
  await expectRejected(await signIn(site, idp, domain, { status: 'urn:oasis:names:tc:SAML:2.0:status:Responder' }));
});

test('Redirect URLs that are not allowed are replaced by the home page, for successful and failed sign-ins', async () => {
  for (const redirectTo of [
    'https://evil.example/',
    'https://app.example.evil.example/done',
    `${site.url}@evil.example`,
  ]) {
    const request = await beginSignIn(site, idp, { domain, redirectTo });
    expect((await postSamlResponse(site, idp.respond(site.url, request.id), request.relayState)).page).toBe(
      `${site.url}/`,
    );
    expect((await postSamlResponse(site, idp.respond(site.url, undefined), redirectTo)).page).toBe(`${site.url}/`);
    const failure = await beginSignIn(site, idp, { domain, redirectTo });
    const response = await postSamlResponse(
      site,
      idp.respond(site.url, failure.id, { signed: 'nothing' }),
      failure.relayState,
    );
    expect(response.page).toBe(`${site.url}/`);
  }
  const request = await beginSignIn(site, idp, { domain, redirectTo: 'https://app.example/done' });
  const result = await postSamlResponse(site, idp.respond(site.url, request.id), request.relayState);
  expect(result.page).toBe('https://app.example/done');
});

test('An identity provider that asserts the email of an existing account does not sign in to it', async () => {
  const email = `owner-${crypto.randomUUID().slice(0, 8)}@corp.example`;
  const password = 'Fjord-2026-signal';
  const { data } = await site.service.auth.admin.createUser({ email, password, email_confirm: true });
  await site.service
    .from('user_roles')
    .insert({ user_id: data.user?.id, role: 'admin', approved: true })
    .throwOnError();
  idp.person = { nameId: email };
  const result = await signIn(site, idp, domain);
  const client = browserClient(site);
  const { data: sso } = await client.auth.setSession(readTokens(result));
  expect(sso.user?.email).toBe(email);
  expect(sso.user?.id).not.toBe(data.user?.id);
  expect((await client.from('user_roles').select()).data).toEqual([]);
  // The account itself is unchanged, and emails to the address belong to that account only.
  const ownerSession = await browserClient(site).auth.signInWithPassword({ email, password });
  expect(ownerSession.data.user).toMatchObject({ id: data.user?.id, app_metadata: { providers: ['email'] } });
  const ssoUser = { nameId: `only-${crypto.randomUUID().slice(0, 8)}@corp.example` };
  idp.person = ssoUser;
  await signIn(site, idp, domain);
  const link = await site.service.auth.admin.generateLink({ type: 'recovery', email: ssoUser.nameId });
  expect(link.error).toMatchObject({ code: 'user_not_found' });
});

test('A single sign-on account cannot add credentials that its provider could not revoke', async () => {
  const { access_token } = readTokens(await signIn(site, idp, domain));
  const calls: [method: string, path: string, body?: object][] = [
    ['POST', '/passkeys/registration/options', {}],
    ['GET', '/user/identities/authorize?provider=google'],
    ['DELETE', `/user/identities/${crypto.randomUUID()}`],
    ['PUT', '/user', { password: 'Fjord-2026-signal' }],
  ];
  for (const [method, path, body] of calls) {
    const response = await fetch(`${site.url}/auth/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${access_token}`, 'x-supabase-api-version': '2024-01-01' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    expect([path, response.status, await response.json()]).toMatchObject([path, 422, { code: 'user_sso_managed' }]);
  }
});

test('An expired sign-in is rejected, and so are sign-ins of a disabled provider', async () => {
  const request = await beginSignIn(site, idp, { domain });
  await site.backend.database.query(`update auth.saml_relay_states set created_at = now() - interval '16 minutes'`);
  const expiredSignIn = await postSamlResponse(site, idp.respond(site.url, request.id), request.relayState);
  await expectRejected(expiredSignIn, 'saml_relay_state_expired');

  const otherIdp = await startIdentityProvider();
  const id = await register(site, otherIdp, { domains: ['off.example'] });
  const pendingRequest = await beginSignIn(site, otherIdp, { domain: 'off.example' });
  await callAuth(site, 'PUT', `/admin/sso/providers/${id}`, { disabled: true });
  const response = await browserClient(site).auth.signInWithSSO({ domain: 'off.example' });
  expect(response.error).toMatchObject({ status: 404, code: 'sso_provider_disabled' });
  const result = await postSamlResponse(site, otherIdp.respond(site.url, pendingRequest.id), pendingRequest.relayState);
  expect(result.params.get('error_code')).toBe('sso_provider_disabled');
  const unsolicited = await postSamlResponse(site, otherIdp.respond(site.url, undefined), '');
  expect(unsolicited.params.get('error_code')).toBe('sso_provider_disabled');
  await callAuth(site, 'PUT', `/admin/sso/providers/${id}`, { disabled: false });
  expect((await signIn(site, otherIdp, 'off.example')).params.has('access_token')).toBe(true);
  await otherIdp.close();
});

test('The rate limit applies to starting sign-ins', async () => {
  const limitedSite = await startTestBackend({ AUTH_SAML: 'on', RATE_LIMITS: 'on' });
  const startSignIn = () => callAuth(limitedSite, 'POST', '/sso', { domain }, { asService: false });
  const statuses = [];
  for (let n = 0; n < 201; n++) statuses.push((await startSignIn()).status);
  expect(statuses.slice(0, 200)).toEqual(Array(200).fill(404));
  expect(statuses[200]).toBe(429);
  await limitedSite.close();
});
