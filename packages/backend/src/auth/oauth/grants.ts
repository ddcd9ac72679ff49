/** GET and DELETE /user/oauth/grants: lists the clients that a user has authorized, and revokes one. */
import { isUuid } from '../../http/uuid.ts';
import { audit } from '../audit-log.ts';
import { type Endpoint, requireUser } from '../auth-call.ts';
import { authError } from '../error-codes.ts';
import { type OAuthClient, publicClientJson } from './clients.ts';
import { requireOAuthServer, splitScopes } from './server.ts';

interface Grant extends Pick<OAuthClient, 'id' | 'client_name' | 'client_uri' | 'logo_uri'> {
  scopes: string;
  granted_at: Date;
}

export const listGrants: Endpoint = async (call) => {
  requireOAuthServer(call);
  const { user } = await requireUser(call);
  const { rows } = await call.auth.database.query<Grant>(
    `select c.id, c.client_name, c.client_uri, c.logo_uri, g.scopes, g.granted_at
     from auth.oauth_consents g join auth.oauth_clients c on c.id = g.client_id and c.deleted_at is null
     where g.user_id = $1 and g.revoked_at is null order by g.granted_at desc, c.id`,
    [user.id],
  );
  return Response.json(
    rows.map((grant) => ({
      client: publicClientJson(grant),
      scopes: splitScopes(grant.scopes),
      granted_at: grant.granted_at.toISOString(),
    })),
  );
};

/** Ends the client's sessions immediately, including unexpired access tokens, and deletes pending codes. */
export const revokeGrant: Endpoint = async (call) => {
  requireOAuthServer(call);
  const { user } = await requireUser(call);
  const clientId = call.url.searchParams.get('client_id');
  if (!clientId) throw authError('validation_failed', 'client_id is required');
  if (!isUuid(clientId)) throw authError('validation_failed', 'invalid client_id format');
  await call.auth.database.transaction(async (tx) => {
    const { rowCount } = await tx.query(
      'update auth.oauth_consents set revoked_at = now() where user_id = $1 and client_id = $2 and revoked_at is null',
      [user.id, clientId],
    );
    if (rowCount === 0) throw authError('oauth_consent_not_found');
    await tx.query('delete from auth.sessions where user_id = $1 and oauth_client_id = $2', [user.id, clientId]);
    await tx.query('delete from auth.oauth_authorizations where user_id = $1 and client_id = $2', [user.id, clientId]);
    await audit(tx, 'token_revoked', { id: user.id, email: user.email ?? '' }, call.address, {
      oauth_client_id: clientId,
      action: 'revoke_oauth_grant',
    });
  });
  return new Response(null, { status: 204 });
};
