import { decodeJwt } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startIdentityProvider, type TestIdentityProvider } from '../support/identity-provider.ts';
import {
  beginSignIn,
  browserClient,
  callAuth,
  postSamlResponse,
  readTokens,
  register,
  signIn,
} from '../support/single-sign-on.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';

const PERSISTENT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent';
const TRANSIENT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient';

let site: TestBackend;
let idp: TestIdentityProvider;
let providerId: string;
const domain = 'corp.example';

beforeAll(async () => {
  site = await startTestBackend({ AUTH_SAML: 'on', AUTH_SAML_PRIVATE_NETWORKS: 'on' });
  idp = await startIdentityProvider();
  providerId = await register(site, idp, { domains: [domain] });
});
afterAll(async () => {
  await site.close();
  await idp.close();
});
beforeEach(() => {
  idp.person = { nameId: `${crypto.randomUUID().slice(0, 8)}@corp.example` };
});

async function fetchUser(accessToken: string | null) {
  const { data, error } = await browserClient(site).auth.getUser(accessToken ?? '');
  if (error) throw error;
  return data.user;
}

describe('Signing in', () => {
  test('A user signs in at their identity provider and returns with a session', async () => {
    idp.person = { nameId: 'Grace@Corp.Example', attributes: { mail: 'Grace.Hopper@corp.example' } };
    const client = browserClient(site);
    const { id, relayState } = await beginSignIn(site, idp, { domain, redirectTo: `${site.url}/auth?next=1`, client });
    const callback = await postSamlResponse(site, idp.respond(site.url, id), relayState);
    expect(callback).toMatchObject({ status: 303, page: `${site.url}/auth` });
    expect(callback.params.get('next')).toBe('1');
    const { data, error } = await client.auth.setSession(readTokens(callback));
    expect(error).toBeNull();
    expect(data.user).toMatchObject({
      email: 'grace.hopper@corp.example',
      is_sso_user: true,
      app_metadata: { provider: `sso:${providerId}`, providers: [`sso:${providerId}`] },
      user_metadata: { email: 'grace.hopper@corp.example', sub: 'grace@corp.example', iss: idp.entityId },
    });
    expect(data.user?.identities).toMatchObject([
      { provider: `sso:${providerId}`, id: 'grace@corp.example', identity_data: { email_verified: true } },
    ]);
    const { amr, aal } = decodeJwt(readTokens(callback).access_token);
    expect({ amr, aal }).toMatchObject({ amr: [{ method: 'sso/saml', provider: providerId }], aal: 'aal1' });

    const refreshed = await client.auth.refreshSession();
    expect(decodeJwt(refreshed.data.session?.access_token ?? '')['amr']).toMatchObject([
      { method: 'sso/saml', provider: providerId },
    ]);
  });

  test('With PKCE, only the browser that started the sign-in can exchange the code', async () => {
    const client = browserClient(site, 'pkce');
    const { id, relayState } = await beginSignIn(site, idp, { domain, client });
    const callback = await postSamlResponse(site, idp.respond(site.url, id), relayState);
    expect(callback.params.get('access_token')).toBeNull();
    const code = callback.params.get('code') ?? '';
    const otherClient = browserClient(site, 'pkce');
    await beginSignIn(site, idp, { domain, client: otherClient });
    const { data, error } = await client.auth.exchangeCodeForSession(code);
    expect(error).toBeNull();
    expect(data.user?.email).toBe(idp.person.nameId);
    expect(decodeJwt(data.session?.access_token ?? '')['amr']).toMatchObject([
      { method: 'sso/saml', provider: providerId },
    ]);
    expect((await otherClient.auth.exchangeCodeForSession(code)).error).toMatchObject({ code: 'flow_state_not_found' });
  });

  test('The provider is found only by its id or by a domain, which is case-insensitive', async () => {
    const client = browserClient(site);
    expect((await client.auth.signInWithSSO({ providerId })).data?.url).toContain(`${idp.url}/sign-in?SAMLRequest=`);
    expect((await client.auth.signInWithSSO({ domain: 'CORP.example' })).error).toBeNull();
    const unknown = await client.auth.signInWithSSO({ domain: 'other.example' });
    expect(unknown.error).toMatchObject({ status: 404, code: 'sso_provider_not_found' });
    const noProvider = await client.auth.signInWithSSO({ providerId: crypto.randomUUID() });
    expect(noProvider.error).toMatchObject({ status: 404, code: 'sso_provider_not_found' });
    for (const body of [{}, { provider_id: providerId, domain }, { domain, code_challenge: 'x'.repeat(43) }]) {
      const response = await callAuth(site, 'POST', '/sso', body, { asService: false });
      expect(response).toMatchObject({ status: 400, body: { code: 'validation_failed' } });
    }
  });

  test('Without skip_http_redirect, the response is a redirect', async () => {
    const response = await fetch(`${site.url}/auth/v1/sso`, {
      method: 'POST',
      body: JSON.stringify({ domain }),
      redirect: 'manual',
    });
    expect(response.status).toBe(303);
    expect(response.headers.get('location')).toContain(`${idp.url}/sign-in?SAMLRequest=`);
  });

  test('A signed response is accepted with a signed or an unsigned assertion', async () => {
    for (const signedPart of ['response', 'both'] as const) {
      const callback = await signIn(site, idp, domain, { signed: signedPart });
      expect((await fetchUser(callback.params.get('access_token'))).email).toBe(idp.person.nameId);
    }
  });

  test('A user returns to the same account and gets the email address that the provider reports now', async () => {
    idp.person = { nameId: 'employee-7', nameIdFormat: PERSISTENT, attributes: { mail: 'old@corp.example' } };
    const first = await fetchUser((await signIn(site, idp, domain)).params.get('access_token'));
    idp.person.attributes = { mail: 'new@corp.example' };
    const second = await fetchUser((await signIn(site, idp, domain)).params.get('access_token'));
    expect(second).toMatchObject({
      id: first.id,
      email: 'new@corp.example',
      user_metadata: { email: 'new@corp.example' },
    });
  });

  test('Two concurrent first sign-ins create one account', async () => {
    const requests = [await beginSignIn(site, idp, { domain }), await beginSignIn(site, idp, { domain })];
    const callbacks = await Promise.all(
      requests.map(({ id, relayState }) => postSamlResponse(site, idp.respond(site.url, id), relayState)),
    );
    const users = await Promise.all(callbacks.map(({ params }) => fetchUser(params.get('access_token'))));
    expect(users[0]?.id).toBe(users[1]?.id);
  });

  test('A sign-in started by the identity provider uses its RelayState as redirect URL', async () => {
    const callback = await postSamlResponse(site, idp.respond(site.url, undefined), `${site.url}/portal`);
    expect(callback.page).toBe(`${site.url}/portal`);
    expect((await fetchUser(callback.params.get('access_token'))).email).toBe(idp.person.nameId);
  });

  test('The session ends at the time that the identity provider sets', async () => {
    const callback = await signIn(site, idp, domain, { sessionEndsIn: 60 });
    const { session_id: id } = decodeJwt(callback.params.get('access_token') ?? '');
    const { rows } = await site.backend.database.query<{ minutes: number }>(
      'select round(extract(epoch from not_after - now()) / 60)::int as minutes from auth.sessions where id = $1',
      [id as string],
    );
    expect(rows[0]?.minutes).toBe(60);
    const expiredSignIn = await signIn(site, idp, domain, { sessionEndsIn: -1 });
    expect(expiredSignIn.params.get('error_code')).toBe('validation_failed');
  });

  test('Attributes are mapped to claims as configured', async () => {
    const otherIdp = await startIdentityProvider();
    const id = await register(site, otherIdp, {
      domains: ['mapped.example'],
      attribute_mapping: {
        keys: {
          email: { name: 'urn:mail' },
          name: { names: ['missing', 'urn:name'] },
          department: { name: 'urn:department', default: 'none' },
          groups: { name: 'urn:groups', array: true },
        },
      },
    });
    otherIdp.person = {
      nameId: 'employee-8',
      nameIdFormat: PERSISTENT,
      attributes: { 'urn:mail': 'ada@mapped.example', 'urn:name': 'Ada & "Co"', 'urn:groups': ['one', 'two'] },
    };
    const user = await fetchUser((await signIn(site, otherIdp, 'mapped.example')).params.get('access_token'));
    expect(user).toMatchObject({ email: 'ada@mapped.example', app_metadata: { provider: `sso:${id}` } });
    expect(user.user_metadata).toMatchObject({
      name: 'Ada & "Co"',
      custom_claims: { department: 'none', groups: ['one', 'two'] },
    });
    await otherIdp.close();
  });

  test('Without a persistent id or an email address, the sign-in is rejected', async () => {
    idp.person = { nameId: 'tr-1', nameIdFormat: TRANSIENT, attributes: { mail: 'a@corp.example' } };
    expect((await signIn(site, idp, domain)).params.get('error_code')).toBe('saml_assertion_no_user_id');
    idp.person = { nameId: 'employee-9', nameIdFormat: PERSISTENT };
    expect((await signIn(site, idp, domain)).params.get('error_code')).toBe('saml_assertion_no_email');
    idp.person.attributes = { mail: 'not an address' };
    expect((await signIn(site, idp, domain)).params.get('error_code')).toBe('saml_assertion_no_email');
  });

  test('A user cannot change data that the provider manages, but can change the rest', async () => {
    const client = browserClient(site);
    await client.auth.setSession(readTokens(await signIn(site, idp, domain)));
    for (const change of [{ password: 'Fjord-2026-signal' }, { email: 'me@else.example' }, { nonce: '123456' }]) {
      expect((await client.auth.updateUser(change)).error).toMatchObject({ status: 422, code: 'user_sso_managed' });
    }
    expect((await client.auth.updateUser({ data: { colour: 'blue' } })).error).toBeNull();
  });

  test('A banned user gets an error', async () => {
    const user = await fetchUser((await signIn(site, idp, domain)).params.get('access_token'));
    await site.service.auth.admin.updateUserById(user.id, { ban_duration: '24h' });
    expect((await signIn(site, idp, domain)).params.get('error_code')).toBe('user_banned');
  });
});

describe('The service provider', () => {
  test('The metadata contains our URLs and our key, and does not change', async () => {
    const response = await fetch(`${site.url}/auth/v1/sso/saml/metadata?download=true`);
    expect(response.headers.get('content-type')).toBe('application/xml');
    expect(response.headers.get('content-disposition')).toContain('metadata.xml');
    const xml = await response.text();
    expect(xml).toContain(`entityID="${site.url}/auth/v1/sso/saml/metadata"`);
    expect(xml).toContain(`Location="${site.url}/auth/v1/sso/saml/acs"`);
    const certificate = /X509Certificate>([^<]+)</.exec(xml)?.[1];
    expect(certificate).toBeTruthy();
    const { rows } = await site.backend.database.query(`select from backend.secrets where name = 'saml_private_key'`);
    expect(rows).toHaveLength(1);
  });

  test('Single sign-on fails if it is disabled, and creates no accounts if sign-ups are disabled', async () => {
    expect((await callAuth(site, 'GET', '/settings')).body['saml_enabled']).toBe(true);
    const disabled = await startTestBackend();
    expect((await callAuth(disabled, 'GET', '/settings')).body['saml_enabled']).toBe(false);
    for (const [method, path] of [
      ['POST', '/sso'],
      ['GET', '/sso/saml/metadata'],
      ['POST', '/sso/saml/acs'],
    ] as const) {
      const response = await callAuth(disabled, method, path, method === 'POST' ? {} : undefined);
      expect(response).toMatchObject({ status: 404, body: { code: 'saml_provider_disabled' } });
    }
    await disabled.close();

    const withoutSignUps = await startTestBackend({ AUTH_SAML: 'on', AUTH_SIGNUPS: 'off' });
    await register(withoutSignUps, idp, { domains: [domain] });
    expect((await signIn(withoutSignUps, idp, domain)).params.get('error_code')).toBe('signup_disabled');
    await withoutSignUps.close();
  });
});
