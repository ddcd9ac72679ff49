/**
 * Sessions. A session is a row in auth.sessions with a family of refresh tokens, one of them active. Signed access
 * tokens contain the session id, so they become invalid when the session ends.
 */
import { randomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import { SignJWT } from 'jose';
import type { Database, Queryable, Statement } from '../database/database.ts';
import { auditStatement } from './audit-log.ts';
import type { AuthCall } from './auth-call.ts';
import type { AssuranceLevel, AuthenticationMethod } from './authentication-methods.ts';
import { authError } from './error-codes.ts';
import { networkHash } from './known-networks.ts';
import { tokenMetadata } from './user-metadata.ts';
import { isBanned, type UserRow, userJson } from './users.ts';

/** Lifetime of an access token, in seconds. */
const ACCESS_TOKEN_SECONDS = 3600;

export interface Session {
  id: string;
  refreshToken: string;
  aal: AssuranceLevel;
  /** Times in seconds since 1970, latest first. */
  amr: { method: string; timestamp: number }[];
  /** The OAuth client of the session. */
  client?: { id: string; scopes: string } | undefined;
}

export interface SignIn {
  method: AuthenticationMethod;
  /** Provider of the identity, as in auth.identities. */
  provider: string;
  /** Default: aal1. */
  aal?: AssuranceLevel;
}

/** Maximum known networks per account. The least recently used are deleted. */
const MAX_KNOWN_NETWORKS = 10;

const INSERT_SESSION = `
  with session as (
    insert into auth.sessions (id, user_id, created_at, updated_at, aal, user_agent, ip)
    values ($1, $2, now(), now(), $8, $3, $4) returning id, user_id
  ), claim as (
    insert into auth.mfa_amr_claims (id, session_id, created_at, updated_at, authentication_method)
    select gen_random_uuid(), id, now(), now(), $5 from session
  ), token as (
    insert into auth.refresh_tokens (instance_id, token, user_id, session_id, revoked, created_at, updated_at)
    select '00000000-0000-0000-0000-000000000000', $6, user_id::text, id, false, now(), now() from session
  ), identity as (
    update auth.identities set last_sign_in_at = now() where user_id = $2 and provider = $9
  ), network as (
    insert into backend.known_networks (user_id, network_hash) select $2, $7 where $7::text is not null
    on conflict (user_id, network_hash) do update set last_seen = excluded.last_seen
  ), forgotten as (
    delete from backend.known_networks where user_id = $2 and network_hash in (
      select network_hash from backend.known_networks where user_id = $2 and network_hash <> $7
      order by last_seen desc offset ${MAX_KNOWN_NETWORKS - 1}
    )
  )
  update auth.users set last_sign_in_at = now(), updated_at = now() where id = $2`;

/**
 * Opens a session: stores it with its first refresh token, records the network and audits the sign-in. Commit before
 * returning the tokens.
 * @throws ApiError 400 user_banned
 */
export async function openSession(tx: Queryable, call: AuthCall, user: UserRow, signIn: SignIn): Promise<Session> {
  const { session, statements } = newSession(call, user, signIn);
  for (const { text, values } of statements) await tx.query(text, values);
  return session;
}

/** Opens a session like `openSession`, in one round trip. @throws ApiError 400 user_banned */
export async function openSessionInOneRoundTrip(
  database: Database,
  call: AuthCall,
  user: UserRow,
  signIn: SignIn,
): Promise<Session> {
  const { session, statements } = newSession(call, user, signIn);
  await database.batch(statements);
  return session;
}

function newSession(
  call: AuthCall,
  user: UserRow,
  { method, provider, aal = 'aal1' }: SignIn,
): { session: Session; statements: Statement[] } {
  if (isBanned(user)) throw authError('user_banned');
  const session: Session = {
    id: crypto.randomUUID(),
    refreshToken: newRefreshToken(),
    aal,
    amr: [{ method, timestamp: Math.floor(Date.now() / 1000) }],
  };
  user.last_sign_in_at = new Date();
  const values = [
    session.id,
    user.id,
    call.request.headers.get('user-agent')?.slice(0, 500) ?? '',
    isIP(call.address) ? call.address : null,
    method,
    session.refreshToken,
    call.address ? networkHash(user.id, call.address) : null,
    aal,
    provider,
  ];
  const loginStatement = auditStatement('login', { id: user.id, email: user.email ?? '' }, call.address, { provider });
  return { session, statements: [{ text: INSERT_SESSION, values }, loginStatement] };
}

export function newRefreshToken(): string {
  return randomBytes(24).toString('base64url');
}

/** Returns the authentication methods of a session, newest first, for the amr claim of its tokens. */
export async function readMethods(database: Queryable, sessionId: string): Promise<Session['amr']> {
  const { rows } = await database.query<{ method: string; timestamp: number }>(
    `select authentication_method as method, extract(epoch from updated_at)::int as timestamp
     from auth.mfa_amr_claims where session_id = $1 order by updated_at desc`,
    [sessionId],
  );
  return rows;
}

/** Returns the identity provider of a single sign-on, for the amr claim. */
function getSsoProvider(user: UserRow, method: string): { provider?: string } {
  const name = user.identities.find(({ provider }) => provider.startsWith('sso:'))?.provider;
  return method === 'sso/saml' && name ? { provider: name.slice('sso:'.length) } : {};
}

/** Returns the response body of a grant. */
export async function tokenJson(call: AuthCall, user: UserRow, session: Session): Promise<Record<string, unknown>> {
  const issuedAt = Math.floor(Date.now() / 1000);
  const expiresAt = issuedAt + ACCESS_TOKEN_SECONDS;
  const { kid, alg, privateKey } = call.auth.keys.current;
  const accessToken = await new SignJWT({
    email: user.email ?? '',
    phone: user.phone ?? '',
    app_metadata: user.raw_app_meta_data ?? {},
    user_metadata: tokenMetadata(user),
    role: user.role ?? 'authenticated',
    aal: session.aal,
    amr: session.amr.map((entry) => ({ ...entry, ...getSsoProvider(user, entry.method) })),
    session_id: session.id,
    ...(session.client ? { client_id: session.client.id, scope: session.client.scopes } : {}),
    is_anonymous: user.is_anonymous,
  })
    .setProtectedHeader({ alg, kid, typ: 'JWT' })
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
