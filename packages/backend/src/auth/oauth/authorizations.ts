/**
 * GET /oauth/authorizations/:id and POST /oauth/authorizations/:id/consent. The site's consent page shows the client
 * and the requested scopes, and submits the user's decision. The first user who opens a request owns it.
 */
import { createHash, randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { Queryable } from '../../database/database.ts';
import { type AuthCall, type Endpoint, readBody, requireUser, type SignedIn } from '../auth-call.ts';
import { authError } from '../error-codes.ts';
import { requireLiveSession } from '../verified-addresses.ts';
import { clientRedirect } from './authorize.ts';
import { type OAuthClient, publicClientJson } from './clients.ts';
import { requireOAuthServer, splitScopes } from './server.ts';

/** Lifetime of a code, in minutes. */
const CODE_MINUTES = 5;

interface PendingRequest extends Pick<OAuthClient, 'client_name' | 'client_uri' | 'logo_uri'> {
  id: string;
  authorization_id: string;
  client_id: string;
  redirect_uri: string;
  scope: string;
  state: string | null;
  /** Scopes that the user has already granted to this client, or an empty string. */
  consented: string;
}

export const readAuthorization: Endpoint = async (call, { id = '' }) => {
  requireOAuthServer(call);
  const signedIn = await requireUser(call);
  const { user } = signedIn;
  const outcome = await call.auth.database.transaction(async (tx) => {
    const request = await claimRequest(tx, id, user.id);
    const grantedScopes = splitScopes(request.consented);
    const isCovered = splitScopes(request.scope).every((scope) => grantedScopes.includes(scope));
    return isCovered ? { redirect_url: await approve(tx, call, request, signedIn) } : request;
  });
  if ('redirect_url' in outcome) return Response.json(outcome);
  return Response.json({
    authorization_id: outcome.authorization_id,
    redirect_uri: outcome.redirect_uri,
    client: publicClientJson({ ...outcome, id: outcome.client_id }),
    user: { id: user.id, email: user.email ?? '' },
    scope: outcome.scope,
  });
};

const consentBody = z.object({ action: z.enum(['approve', 'deny'], "action must be 'approve' or 'deny'") });

export const consent: Endpoint = async (call, { id = '' }) => {
  requireOAuthServer(call);
  const signedIn = await requireUser(call);
  const { user } = signedIn;
  const { action } = await readBody(call, consentBody);
  const redirectUrl = await call.auth.database.transaction(async (tx) => {
    const request = await claimRequest(tx, id, user.id);
    if (action === 'deny') return deny(tx, call, request);
    await tx.query(
      `insert into auth.oauth_consents (id, user_id, client_id, scopes) values (gen_random_uuid(), $1, $2, $3)
       on conflict (user_id, client_id) do update set scopes = excluded.scopes, granted_at = now(), revoked_at = null`,
      [user.id, request.client_id, mergeScopes(request)],
    );
    return approve(tx, call, request, signedIn);
  });
  return Response.json({ redirect_url: redirectUrl });
};

/**
 * Locks a pending request, and assigns it to this user if it has no user yet.
 * @throws ApiError 404 oauth_authorization_not_found, also for another user's request; 400 validation_failed if the
 * user has already decided
 */
async function claimRequest(tx: Queryable, id: string, userId: string): Promise<PendingRequest> {
  const { rows } = await tx.query<PendingRequest & { status: string }>(
    `with request as (
      update auth.oauth_authorizations set user_id = $2
      where authorization_id = $1 and (user_id is null or user_id = $2) and expires_at > now() returning *
    )
    select r.id, r.authorization_id, r.client_id, r.redirect_uri, r.scope, r.state, r.status,
      c.client_name, c.client_uri, c.logo_uri, coalesce(g.scopes, '') as consented
    from request r join auth.oauth_clients c on c.id = r.client_id and c.deleted_at is null
    left join auth.oauth_consents g on g.client_id = r.client_id and g.user_id = $2 and g.revoked_at is null`,
    [id, userId],
  );
  const [request] = rows;
  if (!request) throw authError('oauth_authorization_not_found');
  if (request.status !== 'pending') {
    throw authError('validation_failed', 'authorization request cannot be processed');
  }
  return request;
}

/**
 * Returns the client's redirect URI with a code. Only the hash of the code is stored.
 * @throws ApiError 403 session_not_found
 */
async function approve(tx: Queryable, call: AuthCall, request: PendingRequest, signedIn: SignedIn): Promise<string> {
  await requireLiveSession(tx, { userId: signedIn.user.id, sessionId: signedIn.sessionId });
  const code = randomBytes(32).toString('base64url');
  await tx.query(
    `update auth.oauth_authorizations set status = 'approved', approved_at = now(), authorization_code = $2,
       expires_at = now() + interval '${CODE_MINUTES} minutes' where id = $1`,
    [request.id, hashCode(code)],
  );
  return clientRedirect(call, request.redirect_uri, request.state, { code });
}

async function deny(tx: Queryable, call: AuthCall, request: PendingRequest): Promise<string> {
  await tx.query(`update auth.oauth_authorizations set status = 'denied' where id = $1`, [request.id]);
  return clientRedirect(call, request.redirect_uri, request.state, {
    error: 'access_denied',
    error_description: 'User denied the request',
  });
}

/** Merges the requested scopes with those granted earlier. */
function mergeScopes({ consented, scope }: PendingRequest): string {
  return [...new Set([...splitScopes(consented), ...splitScopes(scope)])].join(' ');
}

export function hashCode(code: string): string {
  return createHash('sha256').update(code).digest('hex');
}
