/**
 * Sessions: a row in auth.sessions, a family of refresh tokens of which one is active, and signed access tokens that
 * name the session, so that ending it ends them.
 */
import { randomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import { SignJWT } from 'jose';
import type { Statement } from '../database/database.ts';
import type { AuthCall } from './auth-call.ts';
import { type UserRow, userJson } from './users.ts';

/** Lifetime of an access token, in seconds. */
const ACCESS_TOKEN_SECONDS = 3600;

/** How somebody proved who he is, in the words of the amr claim. */
export type AuthenticationMethod =
  | 'password'
  | 'otp'
  | 'magiclink'
  | 'recovery'
  | 'email/signup'
  | 'invite'
  | 'email_change';

export interface Session {
  id: string;
  refreshToken: string;
  aal: string;
  /** Times in seconds since 1970, the latest first. */
  amr: { method: string; timestamp: number }[];
}

/** A new session, and the statement that stores it with its first refresh token and the time of the sign-in. */
export function newSession(
  call: AuthCall,
  user: UserRow,
  method: AuthenticationMethod,
): { session: Session; store: Statement } {
  const session: Session = {
    id: crypto.randomUUID(),
    refreshToken: newRefreshToken(),
    aal: 'aal1',
    amr: [{ method, timestamp: Math.floor(Date.now() / 1000) }],
  };
  user.last_sign_in_at = new Date();
  const store = {
    text: `with session as (
        insert into auth.sessions (id, user_id, created_at, updated_at, aal, user_agent, ip)
        values ($1, $2, now(), now(), 'aal1', $3, $4) returning id, user_id
      ), claim as (
        insert into auth.mfa_amr_claims (id, session_id, created_at, updated_at, authentication_method)
        select gen_random_uuid(), id, now(), now(), $5 from session
      ), token as (
        insert into auth.refresh_tokens (instance_id, token, user_id, session_id, revoked, created_at, updated_at)
        select '00000000-0000-0000-0000-000000000000', $6, user_id::text, id, false, now(), now() from session
      ), identity as (
        update auth.identities set last_sign_in_at = now() where user_id = $2 and provider = 'email'
      )
      update auth.users set last_sign_in_at = now(), updated_at = now() where id = $2`,
    values: [
      session.id,
      user.id,
      call.request.headers.get('user-agent')?.slice(0, 500) ?? '',
      isIP(call.address) ? call.address : null,
      method,
      session.refreshToken,
    ],
  };
  return { session, store };
}

export function newRefreshToken(): string {
  return randomBytes(24).toString('base64url');
}

/** The body that every grant answers with. */
export async function tokenJson(call: AuthCall, user: UserRow, session: Session): Promise<Record<string, unknown>> {
  const issuedAt = Math.floor(Date.now() / 1000);
  const expiresAt = issuedAt + ACCESS_TOKEN_SECONDS;
  const { kid, privateKey } = call.auth.keys.current;
  const accessToken = await new SignJWT({
    email: user.email ?? '',
    phone: user.phone ?? '',
    app_metadata: user.raw_app_meta_data ?? {},
    user_metadata: user.raw_user_meta_data ?? {},
    role: user.role ?? 'authenticated',
    aal: session.aal,
    amr: session.amr,
    session_id: session.id,
    is_anonymous: user.is_anonymous,
  })
    .setProtectedHeader({ alg: 'ES256', kid, typ: 'JWT' })
    .setIssuer(`${call.siteUrl}/auth/v1`)
    .setSubject(user.id)
    .setAudience(user.aud || 'authenticated')
    .setIssuedAt(issuedAt)
    .setExpirationTime(expiresAt)
    .sign(privateKey);
  return {
    access_token: accessToken,
    token_type: 'bearer',
    expires_in: ACCESS_TOKEN_SECONDS,
    expires_at: expiresAt,
    refresh_token: session.refreshToken,
    user: userJson(user),
  };
}
