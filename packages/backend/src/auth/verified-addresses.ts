/**
 * Verified addresses of accounts. An address is verified by a link or code sent to it, or by a provider. `confirmed_at`
 * is not enough, because it is also set if sign-ups need no confirmation. An attacker may have created the account, so
 * the first verification deletes earlier credentials and data, unless it is from the session that signed up. Supabase
 * Auth does the same for unconfirmed accounts (User.RemoveUnconfirmedIdentities).
 */
import type { Queryable } from '../database/database.ts';
import { authError } from './error-codes.ts';
import { deleteKnownNetworks } from './known-networks.ts';
import type { UserRow } from './users.ts';

/** Records a verified address, and deletes the records of addresses that the account no longer has. */
export async function recordVerifiedAddress(tx: Queryable, userId: string, address: string): Promise<void> {
  await tx.query(
    `with former as (
      delete from private.verified_addresses as former_address using auth.users as account where account.id = $1
        and former_address.user_id = $1 and former_address.address not in ($2, coalesce(account.email, ''), coalesce(account.phone, ''))
    )
    insert into private.verified_addresses (user_id, address) values ($1, $2) on conflict do nothing`,
    [userId, address],
  );
}

/** Returns whether this address of the account is verified. */
export async function isAddressVerified(database: Queryable, userId: string, address: string): Promise<boolean> {
  const { rowCount } = await database.query(
    'select from private.verified_addresses where user_id = $1 and address = $2',
    [userId, address],
  );
  return rowCount > 0;
}

/** Returns whether the account has an address but no verified one. */
export async function hasNoVerifiedAddress(database: Queryable, { id, email, phone }: UserRow): Promise<boolean> {
  const addresses = [email, phone].filter(Boolean);
  if (addresses.length === 0) return false;
  const { rowCount } = await database.query(
    'select from private.verified_addresses where user_id = $1 and address = any($2)',
    [id, addresses],
  );
  return rowCount === 0;
}

/**
 * Locks the account and requires that the session still exists. Must be called first in each transaction that adds a
 * credential. Otherwise a session that the first verification of an address has ended could still add one.
 * @throws ApiError 403 session_not_found
 */
export async function requireLiveSession(
  tx: Queryable,
  { userId, sessionId }: { userId: string; sessionId: string | null },
): Promise<void> {
  await tx.query('select from auth.users where id = $1 for update', [userId]);
  const { rowCount } = await tx.query('select from auth.sessions where id = $1 and user_id = $2', [sessionId, userId]);
  if (rowCount === 0) throw authError('session_not_found');
}

/**
 * Returns whether the account was created in this session. Credentials added before the verification then belong to
 * the owner, because setting a password in another session would have ended this one.
 */
export async function isSignUpSession(database: Queryable, userId: string, sessionId: string): Promise<boolean> {
  const { rowCount } = await database.query(
    `select from auth.sessions as session join auth.users as account on account.id = session.user_id
     where session.id = $1 and account.id = $2 and session.created_at = account.created_at
       and (session.not_after is null or session.not_after > now())`,
    [sessionId, userId],
  );
  return rowCount > 0;
}

/**
 * Records a verified address. The first verification deletes all earlier credentials and data, unless it is from the
 * session that signed up.
 */
export async function verifyAddress(
  tx: Queryable,
  userId: string,
  address: string,
  sessionId: string | undefined,
): Promise<void> {
  // Lock the account, so that the second of two concurrent requests sees the result of the first.
  await tx.query('select from auth.users where id = $1 for update', [userId]);
  if (await isAddressVerified(tx, userId, address)) return;
  if (sessionId && (await isSignUpSession(tx, userId, sessionId))) await recordVerifiedAddress(tx, userId, address);
  else await deleteCredentials(tx, userId, address);
}

/**
 * Resets the account for the verified owner of this address: deletes the password, other addresses, identities,
 * factors, sessions, data, authorized applications and pending mails. app_metadata lists the deleted items for some
 * time.
 */
export async function deleteCredentials(tx: Queryable, userId: string, address: string): Promise<void> {
  await tx.query('select private.delete_credentials($1, $2, null)', [userId, address]);
  await tx.query(
    `update backend.mailed_tokens set ended_at = coalesce(ended_at, now()), encrypted_password = null, user_metadata = null
     where user_id = $1`,
    [userId],
  );
  await tx.query('delete from auth.flow_state where linking_target_id = $1', [userId]);
  await tx.query('delete from backend.factor_guesses where user_id = $1', [userId]);
  await deleteKnownNetworks(tx, userId);
  await recordVerifiedAddress(tx, userId, address);
}
