/** Acts as the browser between our service and an identity provider. */
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { PUBLISHABLE_KEY } from '../../packages/backend/src/http/keys.ts';
import type { Changes, TestIdentityProvider } from './identity-provider.ts';
import type { TestBackend } from './test-backend.ts';

/** Calls /auth/v1 with the secret key or without a key. */
export async function callAuth(
  site: TestBackend,
  method: string,
  path: string,
  body?: unknown,
  { asService = true } = {},
): Promise<{ status: number; body: Record<string, unknown> }> {
  const response = await fetch(`${site.url}/auth/v1${path}`, {
    method,
    headers: {
      'content-type': 'application/json',
      'x-supabase-api-version': '2024-01-01',
      ...(asService ? { authorization: `Bearer ${site.backend.keys.secretKey}` } : {}),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    redirect: 'manual',
  });
  const text = await response.text();
  return { status: response.status, body: text ? JSON.parse(text) : {} };
}

/** Registers the provider. @returns its id */
export async function register(site: TestBackend, idp: TestIdentityProvider, fields: object = {}): Promise<string> {
  const metadata_xml = idp.metadataXml();
  const { status, body } = await callAuth(site, 'POST', '/admin/sso/providers', {
    type: 'saml',
    metadata_xml,
    ...fields,
  });
  if (status !== 201) throw new Error(`Registering the provider failed: ${JSON.stringify(body)}`);
  return String(body['id']);
}

export function browserClient(site: TestBackend, flowType: 'implicit' | 'pkce' = 'implicit'): SupabaseClient {
  return createClient(site.url, PUBLISHABLE_KEY, {
    auth: { flowType, autoRefreshToken: false, storageKey: crypto.randomUUID() },
  });
}

/** Starts a sign-in and returns the ID and relay state of the SAML request. */
export async function beginSignIn(
  site: TestBackend,
  idp: TestIdentityProvider,
  {
    domain,
    redirectTo,
    client = browserClient(site),
  }: { domain: string; redirectTo?: string; client?: SupabaseClient },
): Promise<{ id: string; relayState: string }> {
  const { data, error } = await client.auth.signInWithSSO({
    domain,
    ...(redirectTo ? { options: { redirectTo } } : {}),
  });
  if (error) throw error;
  const metadata = await (await fetch(`${site.url}/auth/v1/sso/saml/metadata`)).text();
  return idp.readRequest(data.url, metadata);
}

/** The final redirect of a sign-in, with the page and the parameters of its URL. */
export interface SignInRedirect {
  status: number;
  page: string;
  params: URLSearchParams;
}

/** Returns the tokens to pass to `setSession` of supabase-js. */
export function readTokens({ params }: SignInRedirect): { access_token: string; refresh_token: string } {
  return { access_token: params.get('access_token') ?? '', refresh_token: params.get('refresh_token') ?? '' };
}

/** Posts a response to our service, as the form on the provider's page does. */
export async function postSamlResponse(
  site: TestBackend,
  response: string,
  relayState: string,
): Promise<SignInRedirect> {
  const acsResponse = await fetch(`${site.url}/auth/v1/sso/saml/acs`, {
    method: 'POST',
    body: new URLSearchParams({ SAMLResponse: Buffer.from(response).toString('base64'), RelayState: relayState }),
    redirect: 'manual',
  });
  const location = new URL(acsResponse.headers.get('location') ?? 'none:');
  const params = new URLSearchParams(`${location.search.slice(1)}&${location.hash.slice(1)}`);
  return { status: acsResponse.status, page: `${location.origin}${location.pathname}`, params };
}

/** Runs the complete sign-in flow for the provider's user. `alter` changes the response as an attacker would. */
export async function signIn(
  site: TestBackend,
  idp: TestIdentityProvider,
  domain: string,
  changes: Changes = {},
  alter: (response: string) => string = (response) => response,
): Promise<SignInRedirect> {
  const { id, relayState } = await beginSignIn(site, idp, { domain });
  return postSamlResponse(site, alter(idp.respond(site.url, id, changes)), relayState);
}
