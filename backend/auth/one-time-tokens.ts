/**
 * Codes and links in mails. A code has six digits; what is stored, and what a link carries, is the SHA-224 of the
 * address and the code, with the prefix pkce_ when the request came with a code challenge. One per account and type,
 * used up by the first try that fits.
 */
import { createHash, randomInt } from 'node:crypto';
import type { Queryable } from '../database/database.ts';

/** Lifetime of codes and links, in seconds. */
const TOKEN_SECONDS = 3600;

/** Columns of auth.users that repeat the token and say when it was sent, as Supabase Auth keeps them. */
const COLUMNS = {
  confirmation_token: 'confirmation_sent_at',
  recovery_token: 'recovery_sent_at',
  email_change_token_new: 'email_change_sent_at',
  email_change_token_current: 'email_change_sent_at',
  reauthentication_token: 'reauthentication_sent_at',
} as const;

export type TokenType = keyof typeof COLUMNS;

export interface OneTimeToken {
  /** Six digits, for the person to type. */
  code: string;
  /** For the link. */
  hash: string;
}

export function newToken(email: string, { pkce = false } = {}): OneTimeToken {
  const code = randomInt(1_000_000).toString().padStart(6, '0');
  return { code, hash: `${pkce ? 'pkce_' : ''}${hashOf(email, code)}` };
}

/** Stores a token; an earlier one of the same account and type stops working. */
export async function storeToken(
  database: Queryable,
  userId: string,
  type: TokenType,
  email: string,
  token: OneTimeToken,
): Promise<void> {
  await database.query(
    `with stored as (
      insert into auth.one_time_tokens (id, user_id, token_type, token_hash, relates_to)
      values (gen_random_uuid(), $1, $2, $3, $4)
      on conflict (user_id, token_type) do update set
        token_hash = excluded.token_hash, relates_to = excluded.relates_to, created_at = now(), updated_at = now()
    )
    update auth.users set ${type} = $3, ${COLUMNS[type]} = now(), updated_at = now() where id = $1`,
    [userId, type, token.hash, email],
  );
}

export interface RedeemedToken {
  userId: string;
  type: TokenType;
  /** Whether the link was asked for with a code challenge. */
  pkce: boolean;
}

/** Uses up the token of that hash. Nothing comes back when there is none, or when it is too old. */
export async function redeemToken(
  database: Queryable,
  hash: string,
  types: readonly TokenType[],
): Promise<RedeemedToken | undefined> {
  const { rows } = await database.query<{ user_id: string; token_type: TokenType; fresh: boolean; token_hash: string }>(
    `delete from auth.one_time_tokens where token_hash = any($1) and token_type = any($2::auth.one_time_token_type[])
     returning user_id, token_type, token_hash, created_at > localtimestamp - make_interval(secs => ${TOKEN_SECONDS}) as fresh`,
    [[hash, `pkce_${hash}`], types],
  );
  const [used] = rows;
  if (!used) return undefined;
  await database.query(`update auth.users set ${used.token_type} = '' where id = $1`, [used.user_id]);
  if (!used.fresh) return undefined;
  return { userId: used.user_id, type: used.token_type, pkce: used.token_hash.startsWith('pkce_') };
}

export function hashOf(email: string, code: string): string {
  return createHash('sha224')
    .update(email + code)
    .digest('hex');
}
