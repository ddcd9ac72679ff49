/**
 * Forged SAML responses. Each is rejected and creates no account. The valid response for the same user signs in and
 * creates an account.
 */
import { deflateRawSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Changes, startIdentityProvider, type TestIdentityProvider } from '../support/identity-provider.ts';
import {
  beginSignIn,
  browserClient,
  postSamlResponse,
  register,
  type SignInRedirect,
  signIn,
} from '../support/single-sign-on.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';
import { type Forgery, SIGNATURE_WRAPPINGS, VICTIM_EMAIL } from './saml-signature-wrapping.ts';
import { resign, signatureForgeries } from './sso-signatures.ts';
import { STATEMENTS } from './sso-statements.ts';

let site: TestBackend;
const domain = 'corp.example';
const idp: TestIdentityProvider = await startIdentityProvider();
const otherIdp: TestIdentityProvider = await startIdentityProvider();

beforeAll(async () => {
  site = await startTestBackend({ AUTH_SAML: 'on' });
  await register(site, idp, { domains: [domain] });
});
afterAll(async () => {
  await site.close();
  await idp.close();
  await otherIdp.close();
});
beforeEach(() => {
  idp.person = { nameId: `${crypto.randomUUID().slice(0, 8)}@corp.example` };
});

async function listEmails(): Promise<unknown[]> {
  const { rows } = await site.backend.database.query<{ email: string }>(
    'select email from auth.users where email = any ($1)',
    [[VICTIM_EMAIL, idp.person.nameId]],
  );
  return rows.map(({ email }) => email);
}

/** Throws if a forgery is identical to the valid response. */
const requireChange = (alter: (response: string) => string) => (response: string) => {
  const result = alter(response);
  if (result === response) throw new Error('The forgery equals the valid response');
  return result;
};

async function send({ changes: { edited, ...changes } = {}, alter }: Forgery): Promise<SignInRedirect> {
  const checkedChanges = { ...changes, ...(edited ? { edited: requireChange(edited) } : {}) };
  return signIn(site, idp, domain, checkedChanges, alter && requireChange(alter));
}

/** Returns the email of the user that a response signs in. */
async function emailAfterSignIn(changes: Changes, alter?: (response: string) => string): Promise<string | undefined> {
  const { params } = await signIn(site, idp, domain, changes, alter && requireChange(alter));
  const { data } = await browserClient(site).auth.getUser(params.get('access_token') ?? '');
  return data.user?.email;
}

const FORGERIES: [kind: string, forgeries: Forgery[]][] = [
  ['Responses with wrapped signatures', SIGNATURE_WRAPPINGS],
  ['Responses with manipulated signatures', signatureForgeries(idp, otherIdp)],
  ['Responses with invalid statements', STATEMENTS],
];

describe.each(FORGERIES)('%s', (_, forgeries) => {
  test.each(forgeries)('rejects: $name', async (forgery) => {
    const { status, params } = await send(forgery);
    expect([status, params.has('access_token'), params.has('code')]).toEqual([303, false, false]);
    expect(params.get('error_code')).toMatch(/^(validation_failed|saml_assertion_no_user_id)$/);
    expect(await listEmails()).toEqual([]);
    const signedPart = forgery.changes?.signed ?? 'nothing';
    expect(await emailAfterSignIn(signedPart === 'nothing' ? {} : { signed: signedPart })).toBe(idp.person.nameId);
    expect(await listEmails()).toEqual([idp.person.nameId]);
  });
});

test('All 256 forgeries have different names', () => {
  const names = FORGERIES.flatMap(([, forgeries]) => forgeries.map(({ name }) => name));
  expect(new Set(names).size).toBe(names.length);
  expect(names).toHaveLength(256);
});

test('Forgeries that are signed again have a valid signature', () => {
  const response = idp.respond(site.url, undefined);
  expect(resign(idp.privateKey)(response)).toBe(response);
});

test('Equivalent forms of a valid response are accepted, and names are read completely', async () => {
  const variants: ((response: string) => string)[] = [
    (response) => `<?xml version="1.0" encoding="UTF-8"?>\n${response}\n`,
    (response) => response.replace(/<ds:KeyInfo>.*<\/ds:KeyInfo>/s, ''),
    (response) => response.replace(/(<saml:NameID[^>]*>...)/, '$1<!-- -->'),
    (response) => response.replace(/(<saml:NameID[^>]*>)([^<]+)/, '$1<![CDATA[$2]]>'),
    (response) => response.replace('<samlp:Status>', '<!-- a comment --><samlp:Status>'),
    (response) => response.replace(/ Destination="[^"]*"/, ''),
  ];
  for (const alter of variants) expect(await emailAfterSignIn({}, alter)).toBe(idp.person.nameId);
  idp.person = { nameId: 'x1', nameIdFormat: 'urn:x', attributes: { mail: 'ceo@corp.example.evil.example' } };
  const withComment = (response: string) => response.replace('ceo@corp.example.evil', 'ceo@corp.example<!---->.evil');
  expect(await emailAfterSignIn({}, withComment)).toBe('ceo@corp.example.evil.example');
});

test('A response is decoded as Base64 only', async () => {
  const acs = `${site.url}/auth/v1/sso/saml/acs`;
  const beginRequest = async () => {
    const { id, relayState } = await beginSignIn(site, idp, { domain });
    return { RelayState: relayState, xml: idp.respond(site.url, id) };
  };
  const base64 = (xml: string) => Buffer.from(xml).toString('base64');
  const bodies: ((started: { RelayState: string; xml: string }) => BodyInit)[] = [
    ({ RelayState, xml }) => new URLSearchParams({ RelayState, SAMLResponse: xml }),
    ({ RelayState, xml }) => new URLSearchParams({ RelayState, SAMLResponse: Buffer.from(xml).toString('base64url') }),
    ({ RelayState, xml }) => new URLSearchParams({ RelayState, SAMLResponse: deflateRawSync(xml).toString('base64') }),
    ({ RelayState, xml }) => new URLSearchParams({ RelayState, SAMLResponse: `${base64(xml)}====` }),
    ({ RelayState, xml }) => new URLSearchParams({ RelayState, SAMLResponse: `!${base64(xml)}` }),
    ({ RelayState, xml }) => new URLSearchParams({ RelayState, SAMLResponse: base64(base64(xml)) }),
    ({ RelayState, xml }) => new URLSearchParams({ RelayState, SAMLRequest: base64(xml) }),
    ({ RelayState, xml }) => JSON.stringify({ RelayState, SAMLResponse: base64(xml) }),
  ];
  for (const createBody of bodies) {
    const response = await fetch(acs, { method: 'POST', body: createBody(await beginRequest()), redirect: 'manual' });
    expect(response.headers.get('location')).toContain('error_code=validation_failed');
  }
  const request = await beginRequest();
  const query = new URLSearchParams({ RelayState: request.RelayState, SAMLResponse: base64(request.xml) });
  expect((await fetch(`${acs}?${query}`, { redirect: 'manual' })).status).toBe(404);
  expect(await listEmails()).toEqual([]);
  await postSamlResponse(site, request.xml, request.RelayState);
  expect(await listEmails()).toEqual([idp.person.nameId]);
});
