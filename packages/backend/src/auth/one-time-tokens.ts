/**
 * Links and codes in mails, and codes in text messages. A mail has two independent secrets. The link has 32 random
 * bytes, which cannot be guessed. The code has six digits, which can be guessed with enough attempts, so
 * wrong codes are counted in the database, across all processes and client addresses. Only digests are stored.
 */
import { createHash, randomBytes, randomInt, randomUUID } from 'node:crypto';
import type { Queryable } from '../database/database.ts';

/** Number of wrong codes that invalidate the code of a mail. Its link remains valid, because it cannot be guessed. */
const MAX_WRONG_CODES = 10;

/**
 * Maximum number of wrong codes per account and day, across all mails. Once it is reached, all codes are
 * rejected.
 */
const MAX_WRONG_CODES_PER_DAY = 50;

/** Columns of auth.users with the time of the latest mail or message of that type. */
const SENT_AT = {
  confirmation_token: 'confirmation_sent_at',
  recovery_token: 'recovery_sent_at',
  email_change_token_new: 'email_change_sent_at',
  email_change_token_current: 'email_change_sent_at',
  reauthentication_token: 'reauthentication_sent_at',
  phone_change_token: 'phone_change_sent_at',
} as const;

export type TokenType = keyof typeof SENT_AT;

export interface OneTimeToken {
  /** Six digits for the user to type. */
  code: string;
  /** Secret in the link, which the client calls a token hash. The prefix pkce_ marks a flow with a code challenge. */
  link: string;
}

export function newToken({ isPkce = false } = {}): OneTimeToken {
  return {
    code: randomInt(1_000_000).toString().padStart(6, '0'),
    link: `${isPkce ? 'pkce_' : ''}${randomBytes(32).toString('hex')}`,
  };
}

/** Password and data of a pending sign-up. They are applied only if the mail of this sign-up is confirmed. */
export interface PendingSignUp {
  encryptedPassword: string | null;
  userMetadata: Record<string, unknown>;
}

export interface TokenPurpose {
  userId: string;
  type: TokenType;
  /** Recipient: an email address, or a phone number as E.164 without the plus sign. */
  recipient: string;
  flowId?: string | undefined;
  pendingSignUp?: PendingSignUp | undefined;
}

/**
 * Stores a token. Replaces an earlier token of the same account and type. Tokens of sign-ups are not replaced, because
 * an attacker who signs up with a victim's address must not invalidate the victim's link. Stores nothing if the account
 * does not exist.
 */
export async function storeToken(database: Queryable, token: OneTimeToken, purpose: TokenPurpose): Promise<void> {
  const { userId, type, recipient, flowId, pendingSignUp } = purpose;
  const id = randomUUID();
  await database.query(
    `with ended as (
      update backend.mailed_tokens set ended_at = now()
      where user_id = $2 and token_type = $3 and token_type <> 'confirmation_token' and ended_at is null
    ), stored as (
      insert into backend.mailed_tokens (
        id, user_id, token_type, recipient, link_hash, code_hash, flow_id, encrypted_password, user_metadata
      )
      select $1, id, $3, $4, $5, $6, $7, $8, $9 from auth.users where id = $2
    )
    update auth.users set ${SENT_AT[type]} = now(), updated_at = now() where id = $2`,
    [
      id,
      userId,
      type,
      recipient,
      digest(token.link),
      digest(id + token.code),
      flowId,
      pendingSignUp?.encryptedPassword,
      pendingSignUp?.userMetadata,
    ],
  );
}

export interface RedeemedToken {
  userId: string;
  type: TokenType;
  /** Address that the token was sent to. */
  recipient: string;
  flowId: string | null;
  pendingSignUp: PendingSignUp;
}

interface TokenRow {
  user_id: string;
  token_type: TokenType;
  recipient: string;
  flow_id: string | null;
  encrypted_password: string | null;
  user_metadata: Record<string, unknown> | null;
}

/** Condition of a valid token. Tokens expire after an hour, invitations after seven days. */
const IS_VALID = 'ended_at is null and expires_at > now()';

/** Redeems the token of a link. Returns undefined if it is unknown or expired. */
export async function redeemLink(
  database: Queryable,
  link: string,
  types: readonly TokenType[],
): Promise<RedeemedToken | undefined> {
  const { rows } = await database.query<TokenRow>(
    `update backend.mailed_tokens set ended_at = now()
     where link_hash = $1 and token_type = any($2::auth.one_time_token_type[]) and ${IS_VALID}
     returning user_id, token_type, recipient, flow_id, encrypted_password, user_metadata`,
    [digest(link), types],
  );
  return toRedeemedToken(rows[0]);
}

/**
 * Redeems the token of a code sent to that email address or phone number. A wrong code counts against every token that
 * it could match, so the transaction must commit even if undefined is returned.
 */
export async function redeemOtp(
  database: Queryable,
  recipient: string,
  code: string,
  types: readonly TokenType[],
  { ignoresDailyLimit = false } = {},
): Promise<RedeemedToken | undefined> {
  const { rows } = await database.query<TokenRow>(
    `with candidate as (
      select id from backend.mailed_tokens as token
      where recipient = $1 and token_type = any($3::auth.one_time_token_type[]) and ${IS_VALID}
        and wrong_tries < ${MAX_WRONG_CODES}
        and ($4::boolean or (
          select coalesce(sum(other.wrong_tries), 0) from backend.mailed_tokens as other
          where other.user_id = token.user_id and other.created_at > now() - interval '1 day'
        ) < ${MAX_WRONG_CODES_PER_DAY})
      for update
    ), used as (
      update backend.mailed_tokens as token set ended_at = now() from candidate
      where token.id = candidate.id and token.code_hash = encode(sha256(convert_to(token.id::text || $2, 'utf8')), 'hex')
      returning token.*
    ), missed as (
      update backend.mailed_tokens as token set wrong_tries = wrong_tries + 1 from candidate
      where token.id = candidate.id and not exists (select from used)
    )
    select user_id, token_type, recipient, flow_id, encrypted_password, user_metadata from used limit 1`,
    [recipient, code, types, ignoresDailyLimit],
  );
  return toRedeemedToken(rows[0]);
}

/** Invalidates an account's tokens of these types, and deletes their sign-up data. */
export async function revokeTokens(database: Queryable, userId: string, types: readonly TokenType[]): Promise<void> {
  await database.query(
    `update backend.mailed_tokens set ended_at = coalesce(ended_at, now()), encrypted_password = null, user_metadata = null
     where user_id = $1 and token_type = any($2::auth.one_time_token_type[])`,
    [userId, types],
  );
}

/**
 * Returns the data of an unconfirmed account's sign-up, to repeat it in another mail. Returns undefined if there are
 * several sign-ups, because the right one is unknown. The recipient then sets a password later.
 */
export async function onlyPendingSignUp(database: Queryable, userId: string): Promise<PendingSignUp | undefined> {
  const { rows } = await database.query<Pick<TokenRow, 'encrypted_password' | 'user_metadata'>>(
    `select distinct encrypted_password, user_metadata from backend.mailed_tokens
     where user_id = $1 and token_type = 'confirmation_token' and encrypted_password is not null limit 2`,
    [userId],
  );
  const [pendingSignUp] = rows;
  return pendingSignUp && rows.length === 1 ? toPendingSignUp(pendingSignUp) : undefined;
}

/** Returns the password of the latest pending sign-up with that address or number, or null. */
export async function latestSignUpPassword(database: Queryable, recipient: string): Promise<string | null> {
  const { rows } = await database.query<{ encrypted_password: string }>(
    `select encrypted_password from backend.mailed_tokens
     where recipient = $1 and token_type = 'confirmation_token' and encrypted_password is not null
     order by created_at desc limit 1`,
    [recipient],
  );
  return rows[0]?.encrypted_password ?? null;
}

function toRedeemedToken(row: TokenRow | undefined): RedeemedToken | undefined {
  if (!row) return undefined;
  return {
    userId: row.user_id,
    type: row.token_type,
    recipient: row.recipient,
    flowId: row.flow_id,
    pendingSignUp: toPendingSignUp(row),
  };
}

function toPendingSignUp(row: Pick<TokenRow, 'encrypted_password' | 'user_metadata'>): PendingSignUp {
  return { encryptedPassword: row.encrypted_password, userMetadata: row.user_metadata ?? {} };
}

function digest(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
