/**
 * GET /verify handles the link in a mail. It redirects with a session in the #fragment, or with a code for PKCE. Errors
 * are passed the same way. POST /verify accepts the typed code of a mail or text message, or a token hash that a page
 * of the site read from its URL.
 */
import { z } from 'zod';
import type { Queryable } from '../database/database.ts';
import type { ApiError } from '../http/api-error.ts';
import { audit } from './audit-log.ts';
import { type AuthCall, claimedSession, type Endpoint, readBody, validate } from './auth-call.ts';
import { completeEmailChange } from './email-change.ts';
import { authError } from './error-codes.ts';
import { asAuthError } from './error-response.ts';
import { findFlowSession, issueCode } from './flow-states.ts';
import { isKnownNetwork } from './known-networks.ts';
import { redirectTarget } from './mails.ts';
import { type RedeemedToken, redeemLink, redeemOtp, type TokenType } from './one-time-tokens.ts';
import { phoneField } from './phone.ts';
import { completePhoneChange } from './phone-change.ts';
import { openSession, type Session, tokenJson } from './sessions.ts';
import { confirmAddress, isBanned, normalizeEmail, readUser, throwAddressTaken, type UserRow } from './users.ts';
import { hasNoVerifiedAddress, isSignUpSession, recordVerifiedAddress, verifyAddress } from './verified-addresses.ts';

const TOKEN_TYPES = {
  signup: ['confirmation_token'],
  invite: ['confirmation_token'],
  magiclink: ['recovery_token'],
  recovery: ['recovery_token'],
  email: ['confirmation_token', 'recovery_token'],
  email_change: ['email_change_token_new', 'email_change_token_current'],
  sms: ['confirmation_token', 'recovery_token'],
  phone_change: ['phone_change_token'],
} as const satisfies Record<string, readonly TokenType[]>;

type VerifyType = keyof typeof TOKEN_TYPES;

const typeField = z.enum(['signup', 'invite', 'magiclink', 'recovery', 'email', 'email_change']);
const phoneTypeField = z.enum(['sms', 'phone_change'], 'Unsupported verification type');

const body = z.object({
  type: z.string(),
  email: z.string().max(500).nullish(),
  phone: z.string().nullish(),
  token: z.string().max(100).nullish(),
  token_hash: z.string().max(100).nullish(),
});

const FIRST_CONFIRMATION = 'Confirmation link accepted. Please proceed to confirm link sent to the other email';

type Verified =
  | { kind: 'session'; user: UserRow; session: Session }
  | { kind: 'code'; code: string }
  | { kind: 'pending' };

export const verifyCode: Endpoint = async (call) => {
  const fields = await readBody(call, body);
  const type = validate(fields.phone ? phoneTypeField : typeField, fields.type);
  const result = await verify(call, readSecret(fields), type, {
    returnsCode: false,
    sessionId: await claimedSession(call),
  });
  if (result.kind === 'session') return Response.json(await tokenJson(call, result.user, result.session));
  return Response.json({ msg: FIRST_CONFIRMATION, code: 200 });
};

export const verifyLink: Endpoint = async (call) => {
  const target = new URL(redirectTarget(call));
  // Mail scanners send HEAD requests, which must not redeem the link.
  if (call.request.method === 'HEAD') return new Response(null);
  const { searchParams } = call.url;
  const link = searchParams.get('token') || searchParams.get('token_hash') || '';
  const isPkce = link.startsWith('pkce_');
  try {
    if (!link) throw authError('validation_failed', 'Verify requires a token or a token hash');
    const type = validate(typeField, searchParams.get('type'));
    const result = await verify(call, { link }, type, { returnsCode: true });
    if (result.kind === 'code') target.searchParams.set('code', result.code);
    else if (result.kind === 'pending') addToTarget(target, { message: FIRST_CONFIRMATION }, isPkce);
    else {
      const { user: _user, ...tokens } = await tokenJson(call, result.user, result.session);
      target.hash = new URLSearchParams({ ...asStrings(tokens), type }).toString();
    }
  } catch (error) {
    const apiError = asAuthError(error, { log: call.auth.log, request: call.request });
    addToTarget(target, errorParameters(apiError), isPkce);
  }
  return new Response(null, { status: 303, headers: { location: target.href } });
};

/** Secret of a message: the link's token hash, or the code sent to an address. */
type SentSecret = { link: string } | { recipient: string; code: string };

function readSecret(fields: z.output<typeof body>): SentSecret {
  const { email, phone, token: code, token_hash: link } = fields;
  if (phone && (email || link)) {
    throw authError('validation_failed', 'Only an email address or phone number should be provided on verify');
  }
  if (link) return { link };
  if (!code || !(email || phone)) throw authError('validation_failed', 'Verify requires a token or a token hash');
  if (!phone) return { recipient: normalizeEmail(email ?? ''), code };
  return { recipient: validate(phoneField, phone), code };
}

interface VerifyOptions {
  /** True if a flow with a code challenge ends with a code. */
  returnsCode: boolean;
  /** The session of the request's token. */
  sessionId?: string | undefined;
}

/** @throws ApiError 403 otp_expired for a wrong, used or expired secret */
async function verify(call: AuthCall, secret: SentSecret, type: VerifyType, options: VerifyOptions): Promise<Verified> {
  await call.auth.limits.codePerAddress.consume(call.address);
  const isLink = 'link' in secret;
  // A text message has no link as an alternative, so an attacker's wrong codes must not lock out a known network.
  const ignoresDailyLimit =
    type === 'sms' && !isLink && (await isKnownNetwork(call.auth.database, secret.recipient, call.address));
  const verifiedUser = await call.auth.database
    .transaction(async (tx) => {
      const token = isLink
        ? await redeemLink(tx, secret.link, TOKEN_TYPES[type])
        : await redeemOtp(tx, secret.recipient, secret.code, TOKEN_TYPES[type], { ignoresDailyLimit });
      // An error is not thrown here, so that the count of wrong codes is committed.
      return token && acceptToken(tx, call, token, type, options);
    })
    .catch(throwAddressTaken);
  if (verifiedUser) return verifiedUser;
  throw authError('otp_expired', isLink ? 'Email link is invalid or has expired' : undefined);
}

/** Confirms or changes the address, and signs the user in. */
async function acceptToken(
  tx: Queryable,
  call: AuthCall,
  token: RedeemedToken,
  type: VerifyType,
  options: VerifyOptions,
): Promise<Verified> {
  const oldUser = await readUser(tx, token.userId);
  if (isBanned(oldUser)) throw authError('user_banned');
  const provider = type === 'sms' || type === 'phone_change' ? 'phone' : 'email';
  if (type === 'phone_change') await completePhoneChange(tx, oldUser.id);
  else if (type === 'email_change') {
    if ((await completeEmailChange(tx, oldUser)) === 'pending') return { kind: 'pending' };
  } else if (!(provider === 'email' ? oldUser.email_confirmed_at : oldUser.phone_confirmed_at)) {
    // Only the data of this message's sign-up is used. Other sign-ups with the address are deleted.
    await confirmAddress(tx, oldUser.id, provider, token.pendingSignUp);
    await audit(tx, 'user_signedup', { id: oldUser.id, email: oldUser[provider] ?? '' }, call.address, { provider });
  }
  await applyVerification(tx, oldUser, token, type, options);
  if (options.returnsCode && token.flowId) return { kind: 'code', code: await issueCode(tx, token.flowId) };
  const user = await readUser(tx, token.userId);
  return { kind: 'session', user, session: await openSession(tx, call, user, { method: 'otp', provider }) };
}

/**
 * Records that the address is verified. Deletes the credentials if another person may have set up the account. Before
 * the first confirmation, no one could use the account, so nothing is deleted. Nothing is deleted for a new address of
 * a verified account either, because its owner requested the change.
 */
async function applyVerification(
  tx: Queryable,
  oldUser: UserRow,
  token: RedeemedToken,
  type: VerifyType,
  { returnsCode, sessionId }: VerifyOptions,
): Promise<void> {
  const address = type === 'email_change' ? (oldUser.email_change ?? '') : token.recipient;
  const mayBelongToOthers =
    type === 'email_change' || type === 'phone_change'
      ? oldUser.is_anonymous || (type === 'email_change' && (await hasNoVerifiedAddress(tx, oldUser)))
      : oldUser.confirmed_at !== null;
  if (!mayBelongToOthers) {
    await recordVerifiedAddress(tx, oldUser.id, address);
    return;
  }
  // The second confirmation of a change may be from the old mailbox.
  if (address !== token.recipient) return;
  // A link requested by the sign-up session verifies the address in that session if the PKCE verifier is sent.
  const requestingSession = returnsCode && token.flowId && (await findFlowSession(tx, token.flowId));
  if (requestingSession && (await isSignUpSession(tx, oldUser.id, requestingSession))) return;
  await verifyAddress(tx, oldUser.id, address, sessionId);
}

/**
 * Adds the values to the redirect URL. PKCE clients read the query, others the fragment. Errors and messages are in
 * both.
 */
function addToTarget(target: URL, values: Record<string, string>, isPkce: boolean): void {
  target.hash = new URLSearchParams(values).toString();
  if (isPkce) for (const [name, value] of Object.entries(values)) target.searchParams.set(name, value);
}

function errorParameters(apiError: ApiError): Record<string, string> {
  const error =
    apiError.status === 401 || apiError.status === 403
      ? 'access_denied'
      : apiError.status >= 500
        ? 'server_error'
        : 'invalid_request';
  return { error, error_code: apiError.code, error_description: apiError.message };
}

function asStrings(values: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));
}
