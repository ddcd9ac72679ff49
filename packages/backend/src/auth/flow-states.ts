/**
 * PKCE (RFC 7636). After a click on a mail link or a provider sign-in, the browser gets a code instead of a session.
 * Redeeming the code requires a verifier, which only the browser that started the flow has.
 */
import { createHash, randomUUID, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type { Queryable } from '../database/database.ts';
import { type AuthCall, claimedSession } from './auth-call.ts';
import type { AuthenticationMethod } from './authentication-methods.ts';
import { authError } from './error-codes.ts';
import type { ExternalProfile } from './providers/provider.ts';
import type { SignIn } from './sessions.ts';

/** Lifetime of a code, in seconds after the click on the link. */
const CODE_SECONDS = 300;

const CHALLENGE = /^[A-Za-z0-9._~-]{43,128}$/;

/** Optional PKCE fields of a request body. */
export const challengeFields = {
  code_challenge: z.string().regex(CHALLENGE, 'invalid code challenge').nullish(),
  code_challenge_method: z
    .string()
    .toLowerCase()
    .pipe(z.enum(['s256', 'plain'], 'invalid code challenge method'))
    .nullish(),
};

export const challengeBody = z.object(challengeFields);

export interface CodeChallenge {
  challenge: string;
  method: 's256' | 'plain';
  /** The session that requests the mail, if its token was sent. */
  sessionId?: string | undefined;
}

/** @throws ApiError 400 validation_failed if only one of the fields is set */
export function readChallenge(body: {
  code_challenge?: string | null | undefined;
  code_challenge_method?: 's256' | 'plain' | null | undefined;
}): CodeChallenge | undefined {
  const { code_challenge: challenge, code_challenge_method: method } = body;
  if (challenge && method) return { challenge, method };
  if (!challenge && !method) return undefined;
  throw authError('validation_failed', 'PKCE flow requires code_challenge_method and code_challenge');
}

/** Reads a challenge like readChallenge, and adds the session of the request. @throws ApiError 400 validation_failed */
export async function readChallengeWithSession(
  call: AuthCall,
  body: Parameters<typeof readChallenge>[0],
): Promise<CodeChallenge | undefined> {
  const challenge = readChallenge(body);
  return challenge && { ...challenge, sessionId: await claimedSession(call) };
}

/** Stores the challenge until the link is clicked. @returns the id of the flow, which the link's token contains */
export async function startFlow(
  database: Queryable,
  userId: string,
  method: AuthenticationMethod,
  { challenge, method: challengeMethod, sessionId }: CodeChallenge,
): Promise<string> {
  const id = randomUUID();
  await database.query(
    `with flow as (
       insert into auth.flow_state (
         id, user_id, code_challenge_method, code_challenge, provider_type, authentication_method, created_at, updated_at
       ) values ($1, $2, $3, $4, 'email', $5, now(), now()) returning id
     )
     insert into backend.provider_flows (flow_id, session_id)
     select flow.id, session.id from flow, auth.sessions as session where session.id = $6 and session.user_id = $2`,
    [id, userId, challengeMethod, challenge, method, sessionId],
  );
  return id;
}

/** Returns the session that requested the mail of a flow, or null if it is unknown. */
export async function findFlowSession(database: Queryable, flowId: string): Promise<string | null> {
  const { rows } = await database.query<{ session_id: string | null }>(
    'select session_id from backend.provider_flows where flow_id = $1',
    [flowId],
  );
  return rows[0]?.session_id ?? null;
}

/** Account of a completed provider sign-in, and the provider's own tokens, if any. */
interface ProviderResult {
  userId: string;
  accessToken?: string;
  refreshToken?: string | undefined;
}

/**
 * Issues the code for the redirect after a click on the link, or after a provider sign-in. Only its digest is stored.
 * @throws ApiError 404 flow_state_not_found
 */
export async function issueCode(database: Queryable, flowId: string, result?: ProviderResult): Promise<string> {
  const code = randomUUID();
  const { rowCount } = await database.query(
    `update auth.flow_state set auth_code = $2, auth_code_issued_at = now(), updated_at = now(),
       user_id = coalesce($3, user_id), provider_access_token = $4, provider_refresh_token = $5
     where id = $1`,
    [flowId, digest(code), result?.userId, result?.accessToken, result?.refreshToken],
  );
  if (rowCount === 0) throw authError('flow_state_not_found');
  return code;
}

export interface RedeemedCode {
  userId: string;
  signIn: SignIn;
  /** Access token of the provider, if any. */
  providerToken: string | null;
  providerRefreshToken: string | null;
  /** Provider's profile to link to the account. */
  profile: ExternalProfile | null;
  /**
   * Session that requested the mail or the link to a provider, and the recipient of the mail. Both are null if the
   * session is unknown.
   */
  sessionId: string | null;
  recipient: string | null;
}

/**
 * Redeems a code.
 * @throws ApiError 404 flow_state_not_found, 403 flow_state_expired, 400 bad_code_verifier
 */
export async function redeemCode(database: Queryable, code: string, verifier: string): Promise<RedeemedCode> {
  const { rows } = await database.query<{
    user_id: string;
    provider_type: string;
    authentication_method: AuthenticationMethod;
    code_challenge: string;
    code_challenge_method: 's256' | 'plain';
    provider_access_token: string | null;
    provider_refresh_token: string | null;
    profile: ExternalProfile | null;
    session_id: string | null;
    recipient: string | null;
    fresh: boolean;
  }>(
    `delete from auth.flow_state as flow where auth_code = $1 and auth_code_issued_at is not null
     returning user_id, provider_type, authentication_method, code_challenge, code_challenge_method,
       provider_access_token, provider_refresh_token,
       (select profile from backend.provider_flows where flow_id = flow.id) as profile,
       (select session_id from backend.provider_flows where flow_id = flow.id) as session_id,
       (select recipient from backend.mailed_tokens where flow_id = flow.id order by ended_at desc limit 1) as recipient,
       auth_code_issued_at > now() - make_interval(secs => ${CODE_SECONDS}) as fresh`,
    [digest(code)],
  );
  const [flow] = rows;
  if (!flow) throw authError('flow_state_not_found');
  if (!flow.fresh) throw authError('flow_state_expired');
  const computedChallenge =
    flow.code_challenge_method === 's256' ? createHash('sha256').update(verifier).digest('base64url') : verifier;
  const [actual, expected] = [Buffer.from(computedChallenge), Buffer.from(flow.code_challenge)];
  if (actual.length !== expected.length || !timingSafeEqual(actual, expected)) throw authError('bad_code_verifier');
  return {
    userId: flow.user_id,
    signIn: { method: flow.authentication_method, provider: flow.provider_type },
    providerToken: flow.provider_access_token,
    providerRefreshToken: flow.provider_refresh_token,
    profile: flow.profile,
    sessionId: flow.session_id,
    recipient: flow.recipient,
  };
}

function digest(code: string): string {
  return createHash('sha256').update(code).digest('hex');
}
