/**
 * POST /oauth/token: a client exchanges a code or refresh token for tokens. The body is a form, as in RFC 6749, or
 * JSON. A session belongs to its client. Its tokens contain client_id and scope, and cannot be used to change the
 * account.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { ApiError } from '../../http/api-error.ts';
import type { AuthCall, Endpoint } from '../auth-call.ts';
import { OAuthError } from '../error-codes.ts';
import { rotate } from '../grants/refresh-token.ts';
import { openSession, type Session, tokenJson } from '../sessions.ts';
import { readUser, type UserRow } from '../users.ts';
import { hashCode } from './authorizations.ts';
import { authenticateClient } from './client-authentication.ts';
import type { OAuthClient } from './clients.ts';
import { signIdToken } from './id-token.ts';
import { requireOAuthServer, splitScopes, userForScopes } from './server.ts';

export const oauthToken: Endpoint = async (call) => {
  requireOAuthServer(call);
  const form = await readForm(call);
  const client = await authenticateClient(call, form);
  const grant = form.get('grant_type');
  if (!grant) throw new OAuthError('invalid_request', 'grant_type is required');
  if (grant !== 'authorization_code' && grant !== 'refresh_token') {
    throw new OAuthError('unsupported_grant_type', `Unsupported grant type: ${grant}`);
  }
  if (!client.grant_types.includes(grant)) {
    throw new OAuthError('unauthorized_client', `Client is not allowed to use grant type: ${grant}`);
  }
  return grant === 'refresh_token' ? refreshTokens(call, client, form) : exchangeCode(call, client, form);
};

/** @throws OAuthError invalid_request if the body is neither a form nor JSON, or a parameter is repeated */
async function readForm(call: AuthCall): Promise<Map<string, string>> {
  const text = await call.request.text();
  const isJson = call.request.headers.get('content-type')?.includes('application/json');
  const entries = isJson ? Object.entries(parseObject(text)) : [...new URLSearchParams(text)];
  const form = new Map<string, string>();
  for (const [name, value] of entries) {
    if (typeof value !== 'string' || form.has(name)) throw new OAuthError('invalid_request', `Invalid ${name}`);
    if (value !== '') form.set(name, value);
  }
  return form;
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body === 'object' && body !== null && !Array.isArray(body)) return { ...body };
  } catch {
    // The error below covers this case.
  }
  throw new OAuthError('invalid_request', 'Invalid JSON body');
}

interface CodeRow {
  client_id: string;
  user_id: string;
  redirect_uri: string;
  scope: string;
  resource: string | null;
  nonce: string | null;
  code_challenge: string;
  code_challenge_method: 's256' | 'plain';
  is_fresh: boolean;
}

async function exchangeCode(call: AuthCall, client: OAuthClient, form: Map<string, string>): Promise<Response> {
  const code = form.get('code');
  if (!code) throw new OAuthError('invalid_request', 'code is required for authorization_code grant');
  // The first use redeems the code even if it fails, so that a leaked code is worthless.
  const { rows } = await call.auth.database.query<CodeRow>(
    `update auth.oauth_authorizations set status = 'expired' where authorization_code = $1 and status = 'approved'
     returning client_id, user_id, redirect_uri, scope, resource, nonce, code_challenge, code_challenge_method,
       expires_at > now() as is_fresh`,
    [hashCode(code)],
  );
  const [row] = rows;
  if (!row) {
    await endSessionsOfCode(call, client, code);
    throw new OAuthError('invalid_grant', 'Invalid authorization code');
  }
  requireMatchingCode(row, client, form);
  const { user, session } = await call.auth.database.transaction(async (tx) => {
    const user = await readUser(tx, row.user_id);
    const signIn = { method: 'oauth_provider/authorization_code', provider: `oauth:${client.id}` } as const;
    // The request is from the client's server, which is not a network of the user.
    const session = await openSession(tx, { ...call, address: '' }, user, signIn).catch(throwGrantError);
    await tx.query('update auth.sessions set oauth_client_id = $2, scopes = $3 where id = $1', [
      session.id,
      client.id,
      row.scope,
    ]);
    return { user, session: { ...session, client: { id: client.id, scopes: row.scope } } };
  });
  return tokenResponse(call, client, user, session, row.nonce);
}

/**
 * Ends all sessions of that client and user since the consent. Reuse of a code means that it was stolen, before or
 * after its first use (RFC 6749, 4.1.2).
 */
async function endSessionsOfCode(call: AuthCall, client: OAuthClient, code: string): Promise<void> {
  await call.auth.database.query(
    `delete from auth.sessions s using auth.oauth_authorizations a
     where a.authorization_code = $1 and a.client_id = $2 and a.status = 'expired'
       and s.user_id = a.user_id and s.oauth_client_id = a.client_id and s.created_at >= a.approved_at`,
    [hashCode(code), client.id],
  );
}

/** @throws OAuthError invalid_grant */
function requireMatchingCode(row: CodeRow, client: OAuthClient, form: Map<string, string>): void {
  if (!row.is_fresh) throw new OAuthError('invalid_grant', 'Authorization code has expired');
  if (row.client_id !== client.id) {
    throw new OAuthError('invalid_grant', 'Authorization code was not issued for this client');
  }
  const [redirectUri, resource] = [form.get('redirect_uri'), form.get('resource')];
  if (redirectUri && redirectUri !== row.redirect_uri) throw new OAuthError('invalid_grant', 'Invalid redirect_uri');
  if (resource && resource !== row.resource) {
    throw new OAuthError('invalid_grant', 'Authorization code resource does not match the resource parameter');
  }
  const verifier = form.get('code_verifier') ?? '';
  const computedChallenge =
    row.code_challenge_method === 's256' ? createHash('sha256').update(verifier).digest('base64url') : verifier;
  const [actual, expected] = [Buffer.from(computedChallenge), Buffer.from(row.code_challenge)];
  if (actual.length !== expected.length || !timingSafeEqual(actual, expected)) {
    throw new OAuthError('invalid_grant', 'PKCE verification failed: code challenge does not match');
  }
}

async function refreshTokens(call: AuthCall, client: OAuthClient, form: Map<string, string>): Promise<Response> {
  const token = form.get('refresh_token');
  if (!token) throw new OAuthError('invalid_request', 'refresh_token is required for refresh_token grant');
  await call.auth.limits.refreshPerAddress.consume(call.address);
  // The error is returned, not thrown, so that the revocation is committed.
  const outcome = await call.auth.database.transaction((tx) => rotate(tx, call, token, client.id));
  if (outcome === 'user_banned') throw new OAuthError('invalid_grant', 'User is banned');
  if (typeof outcome === 'string') throw new OAuthError('invalid_grant', 'Refresh token is invalid or expired.');
  return tokenResponse(call, client, outcome.user, outcome.session, null);
}

async function tokenResponse(
  call: AuthCall,
  client: OAuthClient,
  user: UserRow,
  session: Session,
  nonce: string | null,
): Promise<Response> {
  const { access_token, token_type, expires_in, refresh_token } = await tokenJson(
    call,
    userForScopes(user, session.client?.scopes ?? ''),
    session,
  );
  const scope = session.client?.scopes ?? '';
  const mayRefresh = client.grant_types.includes('refresh_token');
  const isOpenId = splitScopes(scope).includes('openid');
  return Response.json({
    access_token,
    token_type,
    expires_in,
    ...(mayRefresh ? { refresh_token } : {}),
    scope,
    ...(isOpenId ? { id_token: await signIdToken(call, user, { clientId: client.id, scope, nonce }) } : {}),
  });
}

function throwGrantError(error: unknown): never {
  if (error instanceof ApiError && error.code === 'user_banned')
    throw new OAuthError('invalid_grant', 'User is banned');
  throw error;
}
