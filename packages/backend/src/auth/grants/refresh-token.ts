/**
 * POST /token?grant_type=refresh_token. Each refresh token works once: using it revokes it and returns its successor. A
 * client that lost the response can repeat the request within ten seconds (AUTH_REFRESH_REUSE_SECONDS) and gets the
 * same successor. A later reuse means that the token was stolen. Thief and owner cannot be distinguished, so the whole
 * session ends.
 */
import { z } from 'zod';
import type { Queryable } from '../../database/database.ts';
import { audit } from '../audit-log.ts';
import { type AuthCall, type Endpoint, readBody } from '../auth-call.ts';
import type { AssuranceLevel } from '../authentication-methods.ts';
import { type AuthErrorCode, authError } from '../error-codes.ts';
import { newRefreshToken, readMethods, type Session, tokenJson } from '../sessions.ts';
import { isBanned, readUser, type UserRow } from '../users.ts';

const body = z.object({ refresh_token: z.string().min(1, 'refresh_token required').max(255) });

interface TokenRow {
  id: number;
  user_id: string;
  session_id: string | null;
  revoked: boolean;
  expired: boolean;
  recent: boolean;
  aal: AssuranceLevel;
  oauth_client_id: string | null;
  scopes: string | null;
}

export const refreshTokenGrant: Endpoint = async (call) => {
  const { refresh_token: presentedToken } = await readBody(call, body);
  await call.auth.limits.refreshPerAddress.consume(call.address);
  // The error is returned, not thrown, so that the revocation is committed.
  const outcome = await call.auth.database.transaction((tx) => rotate(tx, call, presentedToken));
  if (typeof outcome === 'string') throw authError(outcome);
  return Response.json(await tokenJson(call, outcome.user, outcome.session));
};

/**
 * Redeems a refresh token. A token of an OAuth client's session can only be used by that client, and an OAuth client
 * can only use its own tokens.
 * @param clientId OAuth client of the request; undefined for the site itself
 */
export async function rotate(
  tx: Queryable,
  call: AuthCall,
  presentedToken: string,
  clientId?: string,
): Promise<AuthErrorCode | { user: UserRow; session: Session }> {
  const { rows } = await tx.query<TokenRow>(
    `select t.id, t.user_id, t.session_id, t.revoked, s.aal, s.oauth_client_id, s.scopes, coalesce(s.not_after <= now(), false) as expired,
       t.updated_at > clock_timestamp() - make_interval(secs => $2::int) as recent
     from auth.refresh_tokens t join auth.sessions s on s.id = t.session_id
     where t.token = $1 for update of t`,
    [presentedToken, call.auth.config.AUTH_REFRESH_REUSE_SECONDS],
  );
  const [token] = rows;
  if (!token?.session_id || token.oauth_client_id !== (clientId ?? null)) return 'refresh_token_not_found';
  if (token.expired) return 'session_expired';
  const user = await readUser(tx, token.user_id);
  if (isBanned(user)) return 'user_banned';
  const actor = { id: user.id, email: user.email ?? '' };

  let refreshToken: string;
  if (!token.revoked) {
    refreshToken = newRefreshToken();
    await tx.query(
      `with used as (
        update auth.refresh_tokens set revoked = true, updated_at = clock_timestamp() where id = $1 returning *
      ), session as (
        update auth.sessions set refreshed_at = now() at time zone 'utc', updated_at = now()
        where id = (select session_id from used)
      )
      insert into auth.refresh_tokens (instance_id, token, user_id, session_id, parent, revoked, created_at, updated_at)
      select instance_id, $2, user_id, session_id, token, false, now(), now() from used`,
      [token.id, refreshToken],
    );
    await audit(tx, 'token_refreshed', actor, call.address);
  } else {
    const successors = await tx.query<{ token: string }>(
      'select token from auth.refresh_tokens where session_id = $1 and not revoked order by id desc limit 1',
      [token.session_id],
    );
    const [successor] = successors.rows;
    if (!token.recent || !successor) {
      await tx.query('delete from auth.sessions where id = $1', [token.session_id]);
      await audit(tx, 'token_revoked', actor, call.address, { reason: 'refresh token reused' });
      return 'refresh_token_already_used';
    }
    refreshToken = successor.token;
  }
  const amr = await readMethods(tx, token.session_id);
  const client = clientId === undefined ? undefined : { id: clientId, scopes: token.scopes ?? '' };
  return { user, session: { id: token.session_id, refreshToken, aal: token.aal, amr, client } };
}
