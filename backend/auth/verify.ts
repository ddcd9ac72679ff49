/**
 * GET /verify is the link in a mail: it redirects with a session in the #fragment, or with a code for PKCE; refusals
 * travel the same way. POST /verify is the typed code, or a token hash that a page of the site read from its address.
 */
import { z } from 'zod';
import { DatabaseError, type Queryable } from '../database/database.ts';
import type { ApiError } from '../http/api-error.ts';
import { audit } from './audit-log.ts';
import { type AuthCall, check, type Endpoint, readBody } from './auth-call.ts';
import { completeEmailChange } from './email-change.ts';
import { authError } from './error-codes.ts';
import { asAuthError } from './error-response.ts';
import { issueCode } from './flow-states.ts';
import { limitCode } from './limits.ts';
import { type LinkType, redirectTarget } from './mails.ts';
import { hashOf, redeemToken, type TokenType } from './one-time-tokens.ts';
import { type AuthenticationMethod, newSession, type Session, tokenJson } from './sessions.ts';
import { confirmEmail, isBanned, normalizeEmail, readUser, type UserRow } from './users.ts';

const TOKENS_OF = {
  signup: ['confirmation_token'],
  invite: ['confirmation_token'],
  magiclink: ['recovery_token'],
  recovery: ['recovery_token'],
  email: ['confirmation_token', 'recovery_token'],
  email_change: ['email_change_token_new', 'email_change_token_current'],
} as const satisfies Record<string, readonly TokenType[]>;

type VerifyType = keyof typeof TOKENS_OF;

const FLOW_METHODS: Record<LinkType, AuthenticationMethod> = {
  signup: 'email/signup',
  invite: 'invite',
  magiclink: 'magiclink',
  recovery: 'recovery',
  email_change: 'email_change',
};

const typeField = z.enum(['signup', 'invite', 'magiclink', 'recovery', 'email', 'email_change']);

const body = z.object({
  type: z.string(),
  email: z.string().max(500).nullish(),
  phone: z.string().nullish(),
  token: z.string().max(100).nullish(),
  token_hash: z.string().max(100).nullish(),
});

const HALF_CONFIRMED = 'Confirmation link accepted. Please proceed to confirm link sent to the other email';

type Verified =
  | { kind: 'session'; user: UserRow; session: Session }
  | { kind: 'code'; code: string }
  | { kind: 'half' };

export const verifyCode: Endpoint = async (call) => {
  const fields = await readBody(call, body);
  if (fields.phone) throw authError('phone_provider_disabled');
  const type = check(typeField, fields.type);
  if (!fields.token_hash && !(fields.email && fields.token)) {
    throw authError('validation_failed', 'Verify requires a token or a token hash');
  }
  const email = normalizeEmail(fields.email ?? '');
  await limitCode(call.auth.limits, call.address, fields.token_hash ? undefined : email);
  const hash = fields.token_hash || hashOf(email, fields.token ?? '');
  const verified = await verify(call, hash, type, { withCode: false });
  if (verified.kind === 'session') return Response.json(await tokenJson(call, verified.user, verified.session));
  return Response.json({ msg: HALF_CONFIRMED, code: 200 });
};

export const verifyLink: Endpoint = async (call) => {
  const target = new URL(redirectTarget(call));
  // Scanners of mail look before people click; a look must not use the link up.
  if (call.request.method === 'HEAD') return new Response(null);
  const { searchParams } = call.url;
  const hash = searchParams.get('token') || searchParams.get('token_hash') || '';
  const isPkce = hash.startsWith('pkce_');
  try {
    await limitCode(call.auth.limits, call.address);
    if (!hash) throw authError('validation_failed', 'Verify requires a token or a token hash');
    const type = check(typeField, searchParams.get('type'));
    const verified = await verify(call, hash, type, { withCode: true });
    if (verified.kind === 'code') target.searchParams.set('code', verified.code);
    else if (verified.kind === 'half') addToTarget(target, { message: HALF_CONFIRMED }, isPkce);
    else {
      const { user: _user, ...tokens } = await tokenJson(call, verified.user, verified.session);
      target.hash = new URLSearchParams({ ...asTexts(tokens), type }).toString();
    }
  } catch (error) {
    const refusal = asAuthError(error, call.auth.log);
    addToTarget(target, describeRefusal(refusal), isPkce);
  }
  return new Response(null, { status: 303, headers: { location: target.href } });
};

/** @throws ApiError 403 otp_expired for a token that is wrong, used or too old */
async function verify(
  call: AuthCall,
  hash: string,
  type: VerifyType,
  { withCode }: { withCode: boolean },
): Promise<Verified> {
  const { database } = call.auth;
  const verified = await database
    .transaction(async (tx): Promise<Verified | undefined> => {
      const used = await redeemToken(tx, hash, TOKENS_OF[type]);
      if (!used) return undefined;
      const before = await readUser(tx, used.userId);
      if (isBanned(before)) throw authError('user_banned');
      if (type === 'email_change') {
        if ((await completeEmailChange(tx, before)) === 'half') return { kind: 'half' };
      } else if (!before.email_confirmed_at) {
        await confirmAddress(tx, call, before, used.type);
      }
      if (withCode && used.pkce) {
        const method = FLOW_METHODS[type === 'email' ? emailType(used.type) : type];
        return { kind: 'code', code: await issueCode(tx, used.userId, method) };
      }
      const user = await readUser(tx, used.userId);
      const { session, store } = newSession(call, user, 'otp');
      await tx.query(store.text, store.values);
      await audit(tx, 'login', { id: user.id, email: user.email ?? '' }, call.address, { provider: 'email' });
      return { kind: 'session', user, session };
    })
    .catch((error: unknown) => {
      if (error instanceof DatabaseError && error.code === '23505') throw authError('email_exists');
      throw error;
    });
  if (verified) return verified;
  throw authError('otp_expired', withCode ? 'Email link is invalid or has expired' : undefined);
}

/** A link of type `email` leaves it to its token what it is. */
function emailType(token: TokenType): LinkType {
  return token === 'confirmation_token' ? 'signup' : 'magiclink';
}

/**
 * Reading the mail proves the address. A password that was set before, and that this mail does not confirm, may be that
 * of a stranger who signed up with somebody else's address and waits: it goes.
 */
async function confirmAddress(tx: Queryable, call: AuthCall, user: UserRow, type: TokenType): Promise<void> {
  await confirmEmail(tx, user.id);
  if (type === 'recovery_token') {
    await tx.query(`update auth.users set encrypted_password = '' where id = $1`, [user.id]);
  }
  await audit(tx, 'user_signedup', { id: user.id, email: user.email ?? '' }, call.address, { provider: 'email' });
}

/** PKCE clients read the query, others the fragment; refusals and messages are in both. */
function addToTarget(target: URL, values: Record<string, string>, isPkce: boolean): void {
  target.hash = new URLSearchParams(values).toString();
  if (isPkce) for (const [name, value] of Object.entries(values)) target.searchParams.set(name, value);
}

function describeRefusal(refusal: ApiError): Record<string, string> {
  const error =
    refusal.status === 401 || refusal.status === 403
      ? 'access_denied'
      : refusal.status >= 500
        ? 'server_error'
        : 'invalid_request';
  return { error, error_code: refusal.code, error_description: refusal.message };
}

function asTexts(values: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));
}
