/**
 * GET /oauth/authorize: a client redirects a browser here to request access. The request is stored, and the browser is
 * redirected to the consent page. Errors in the client id or redirect URI are returned directly. Other errors are
 * sent to the verified redirect URI.
 */
import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { AuthCall, Endpoint } from '../auth-call.ts';
import { authError } from '../error-codes.ts';
import { findClient, type OAuthClient } from './clients.ts';
import { DEFAULT_SCOPE, issuerUrl, requireOAuthServer, SCOPES, splitScopes } from './server.ts';

/** Lifetime of a request, in minutes. */
const REQUEST_MINUTES = 10;

/** The consent page of the site. */
const CONSENT_PATH = '/oauth/consent';

const parameters = z.object({
  response_type: z.literal('code', 'Only response_type=code is supported').default('code'),
  code_challenge_method: z.preprocess(
    (value) => String(value ?? '').toLowerCase(),
    z.enum(['s256', 'plain'], "code_challenge_method must be 'S256' or 'plain'"),
  ),
  code_challenge: z
    .string('PKCE flow requires both code_challenge and code_challenge_method')
    .regex(/^[A-Za-z0-9._~-]{43,128}$/, 'code_challenge must be between 43 and 128 characters'),
  scope: z.string().max(1000, 'scope is too long').default(''),
  state: z.string().max(4096, 'state is too long').optional(),
  nonce: z.string().max(255, 'nonce is too long').optional(),
  resource: z.url('resource must be a valid URL').max(2048).optional(),
});

export const oauthAuthorize: Endpoint = async (call) => {
  requireOAuthServer(call);
  await call.auth.limits.oauthRequestPerAddress.consume(call.address);
  const query = singleValues(call.url.searchParams);
  const client = await requireClient(call, query['client_id']);
  const redirectUri = requireRedirectUri(client, query['redirect_uri']);
  const result = parameters.safeParse(query);
  if (!result.success) {
    const isType = result.error.issues.some(({ path }) => path[0] === 'response_type');
    const error = isType ? 'unsupported_response_type' : 'invalid_request';
    const message = result.error.issues[0]?.message ?? 'The request is not valid';
    return redirectToClient(call, redirectUri, query['state'], { error, error_description: message });
  }
  const scopes = [...new Set(splitScopes(result.data.scope || DEFAULT_SCOPE))];
  const unknownScope = scopes.find((scope) => !SCOPES.includes(scope));
  if (unknownScope) {
    const error_description = `Unsupported scope: ${unknownScope}`;
    return redirectToClient(call, redirectUri, result.data.state, { error: 'invalid_scope', error_description });
  }
  const authorizationId = await storeRequest(call, client, redirectUri, scopes, result.data);
  const target = new URL(`${call.siteUrl}${CONSENT_PATH}`);
  target.searchParams.set('authorization_id', authorizationId);
  return new Response(null, { status: 302, headers: { location: target.href } });
};

/** Redirects to the client, with its state and our issuer. */
export function clientRedirect(
  call: AuthCall,
  redirectUri: string,
  state: string | null | undefined,
  values: Record<string, string>,
): string {
  const url = new URL(redirectUri);
  for (const [name, value] of Object.entries(values)) url.searchParams.set(name, value);
  if (state) url.searchParams.set('state', state);
  url.searchParams.set('iss', issuerUrl(call));
  return url.href;
}

function redirectToClient(...parts: Parameters<typeof clientRedirect>): Response {
  return new Response(null, { status: 302, headers: { location: clientRedirect(...parts) } });
}

/** @throws ApiError 400 validation_failed if a parameter is repeated, because parsers may pick different values */
function singleValues(query: URLSearchParams): Record<string, string> {
  const entries = [...query].filter(([, value]) => value !== '');
  const values = Object.fromEntries(entries);
  if (Object.keys(values).length < entries.length)
    throw authError('validation_failed', 'A parameter occurs more than once');
  return values;
}

async function requireClient(call: AuthCall, id: string | undefined): Promise<OAuthClient> {
  if (!id) throw authError('validation_failed', 'client_id is required');
  const client = await findClient(call.auth.database, id);
  if (!client) throw authError('oauth_client_not_found', 'invalid client_id', 400);
  return client;
}

/** Requires an exact match with a registered URI. */
function requireRedirectUri(client: OAuthClient, uri: string | undefined): string {
  if (!uri) throw authError('validation_failed', 'redirect_uri is required');
  if (!client.redirect_uris.includes(uri)) throw authError('validation_failed', 'invalid redirect_uri');
  return uri;
}

async function storeRequest(
  call: AuthCall,
  client: OAuthClient,
  redirectUri: string,
  scopes: string[],
  request: z.output<typeof parameters>,
): Promise<string> {
  const authorizationId = randomBytes(16).toString('hex');
  await call.auth.database.query(
    `insert into auth.oauth_authorizations (
       id, authorization_id, client_id, redirect_uri, scope, state, nonce, resource, code_challenge, code_challenge_method,
       expires_at
     ) values (gen_random_uuid(), $1, $2, $3, $4, $5, $6, $7, $8, $9, now() + interval '${REQUEST_MINUTES} minutes')`,
    [
      authorizationId,
      client.id,
      redirectUri,
      scopes.join(' '),
      request.state,
      request.nonce,
      request.resource,
      request.code_challenge,
      request.code_challenge_method,
    ],
  );
  return authorizationId;
}
