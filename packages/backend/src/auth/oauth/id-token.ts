/**
 * Claims about a user for a client, by scope (OpenID Connect Core, 5.4): in the ID token, and at GET /oauth/userinfo.
 */
import { SignJWT } from 'jose';
import { type AuthCall, type Endpoint, requireUser } from '../auth-call.ts';
import { authError } from '../error-codes.ts';
import type { UserRow } from '../users.ts';
import { issuerUrl, requireOAuthServer, splitScopes } from './server.ts';

const LIFETIME_SECONDS = 3600;

/** Signs an ID token without a role and session, so that it cannot be used as an access token. */
export function signIdToken(
  call: AuthCall,
  user: UserRow,
  { clientId, scope, nonce }: { clientId: string; scope: string; nonce: string | null },
): Promise<string> {
  const { kid, alg, privateKey } = call.auth.keys.current;
  return new SignJWT({
    ...buildClaims(user, scope),
    ...(nonce ? { nonce } : {}),
  })
    .setProtectedHeader({ alg, kid, typ: 'JWT' })
    .setIssuer(issuerUrl(call))
    .setSubject(user.id)
    .setAudience(clientId)
    .setIssuedAt()
    .setExpirationTime(`${LIFETIME_SECONDS}s`)
    .sign(privateKey);
}

function buildClaims(user: UserRow, scope: string): Record<string, unknown> {
  const scopes = splitScopes(scope);
  const { name, full_name, picture, avatar_url, preferred_username, user_name } = user.raw_user_meta_data ?? {};
  const profile = {
    name: name ?? full_name,
    picture: picture ?? avatar_url,
    preferred_username: preferred_username ?? user_name,
    updated_at: user.updated_at && Math.floor(user.updated_at.getTime() / 1000),
  };
  const claims = {
    ...(scopes.includes('profile') ? profile : {}),
    ...(scopes.includes('email') && user.email
      ? { email: user.email, email_verified: user.email_confirmed_at !== null }
      : {}),
    ...(scopes.includes('phone') && user.phone
      ? { phone_number: user.phone, phone_number_verified: user.phone_confirmed_at !== null }
      : {}),
  };
  return Object.fromEntries(Object.entries(claims).filter(([, value]) => value !== undefined && value !== null));
}

/** GET and POST /oauth/userinfo: returns the claims for the scopes of a client's access token. */
export const userinfo: Endpoint = async (call) => {
  requireOAuthServer(call);
  const { user, client } = await requireUser(call, { allowsClients: true });
  if (!client || !splitScopes(client.scopes).includes('openid')) {
    throw authError('not_admin', 'The access token lacks the scope openid');
  }
  return Response.json({ sub: user.id, ...buildClaims(user, client.scopes) });
};
