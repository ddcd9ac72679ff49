/** A third-party application that users sign in to with their account, built with an OAuth client library. */
import { createClient, type OAuthClient, type SupabaseClient } from '@supabase/supabase-js';
import * as oauth from 'oauth4webapi';
import { PUBLISHABLE_KEY } from '../../packages/backend/src/http/keys.ts';
import { quickHash } from '../../packages/backend/tests/support/quick-hash.ts';
import type { TestBackend } from './test-backend.ts';

const INSECURE = { [oauth.allowInsecureRequests]: true };

export const REDIRECT_URI = 'https://app.example/callback?from=us';

export interface OAuthApplication {
  server: oauth.AuthorizationServer;
  /** Starts an authorisation. @returns the parameters of the consent page, and the state that the application keeps */
  begin(options?: { scope?: string; nonce?: string }): Promise<AuthorizationRequest>;
  /** Exchanges the authorization code in the callback URL for tokens. */
  finish(authorization: AuthorizationRequest, callbackUrl: string): Promise<oauth.TokenEndpointResponse>;
  refresh(refreshToken: string): Promise<oauth.TokenEndpointResponse>;
  userInfo(accessToken: string, subject: string): Promise<oauth.UserInfoResponse>;
}

export interface AuthorizationRequest {
  authorizationId: string;
  state: string;
  verifier: string;
  nonce: string | undefined;
}

export async function openApplication(
  site: TestBackend,
  { id, secret, redirectUri = REDIRECT_URI }: { id: string; secret?: string | undefined; redirectUri?: string },
): Promise<OAuthApplication> {
  const issuer = new URL(`${site.url}/auth/v1`);
  const discovery = await oauth.discoveryRequest(issuer, { algorithm: 'oidc', ...INSECURE });
  const server = await oauth.processDiscoveryResponse(issuer, discovery);
  const client: oauth.Client = { client_id: id };
  const authentication = secret ? oauth.ClientSecretBasic(secret) : oauth.None();
  return {
    server,
    async begin({ scope = 'openid email', nonce } = {}) {
      const [state, verifier] = [oauth.generateRandomState(), oauth.generateRandomCodeVerifier()];
      const url = new URL(server.authorization_endpoint ?? '');
      for (const [name, value] of Object.entries({
        client_id: id,
        redirect_uri: redirectUri,
        response_type: 'code',
        scope,
        state,
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        ...(nonce ? { nonce } : {}),
      })) {
        url.searchParams.set(name, value);
      }
      const response = await fetch(url, { redirect: 'manual' });
      const page = new URL(response.headers.get('location') ?? '');
      return { authorizationId: page.searchParams.get('authorization_id') ?? '', state, verifier, nonce };
    },
    async finish({ state, verifier, nonce }, callbackUrl) {
      const parameters = oauth.validateAuthResponse(server, client, new URL(callbackUrl), state);
      const response = await oauth.authorizationCodeGrantRequest(
        server,
        client,
        authentication,
        parameters,
        redirectUri,
        verifier,
        INSECURE,
      );
      return oauth.processAuthorizationCodeResponse(server, client, response, {
        expectedNonce: nonce ?? oauth.expectNoNonce,
      });
    },
    async refresh(refreshToken) {
      const response = await oauth.refreshTokenGrantRequest(server, client, authentication, refreshToken, INSECURE);
      return oauth.processRefreshTokenResponse(server, client, response);
    },
    async userInfo(accessToken, subject) {
      const response = await oauth.userInfoRequest(server, client, accessToken, INSECURE);
      return oauth.processUserInfoResponse(server, client, subject, response);
    },
  };
}

/** POST /oauth/token with these fields, including invalid ones that a library would not send. */
export async function requestTokens(
  site: TestBackend,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<{ status: number; body: Record<string, unknown> }> {
  const response = await fetch(`${site.url}/auth/v1/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams(fields),
    headers,
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

export function basicAuthorization(id: string, secret: string): Record<string, string> {
  return { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` };
}

/** Creates a user who is signed in on the site. */
export async function createSignedInUser(
  site: TestBackend,
  attributes: object = {},
): Promise<{ id: string; email: string; client: SupabaseClient }> {
  const email = `person-${crypto.randomUUID().slice(0, 8)}@example.com`;
  const password = 'Fjord-2026-signal';
  const created = await site.service.auth.admin.createUser({
    email,
    password_hash: quickHash(password),
    email_confirm: true,
    ...attributes,
  });
  const client = createClient(site.url, PUBLISHABLE_KEY, {
    auth: { autoRefreshToken: false, storageKey: crypto.randomUUID() },
  });
  const { error } = await client.auth.signInWithPassword({ email, password });
  if (error || created.error) throw error ?? created.error;
  return { id: created.data.user.id, email, client };
}

export async function registerClient(site: TestBackend, fields: object = {}): Promise<OAuthClient> {
  const { data, error } = await site.service.auth.admin.oauth.createClient({
    client_name: 'Planner',
    redirect_uris: [REDIRECT_URI],
    ...fields,
  });
  if (error) throw error;
  return data;
}

export async function registerApplication(
  site: TestBackend,
  fields: object = {},
): Promise<OAuthApplication & { client: OAuthClient }> {
  const client = await registerClient(site, fields);
  const application = await openApplication(site, { id: client.client_id, secret: client.client_secret });
  return { ...application, client };
}

/** Consents as the user. @returns the tokens that the application receives */
export async function authorizeApplication(
  application: OAuthApplication,
  person: { client: SupabaseClient },
  options: { scope?: string; nonce?: string } = {},
): Promise<oauth.TokenEndpointResponse> {
  const authorization = await application.begin(options);
  const { data, error } = await person.client.auth.oauth.approveAuthorization(authorization.authorizationId);
  if (error) throw error;
  return application.finish(authorization, data.redirect_url);
}
