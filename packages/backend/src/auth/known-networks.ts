/**
 * Networks from which users have signed in. Sign-ins from these networks are accepted when a limit is exhausted, so
 * that an attacker cannot lock out the account's owner. Only digests of the latest networks are stored (sessions.ts).
 */
import { createHash } from 'node:crypto';
import type { Queryable } from '../database/database.ts';
import { addressKey } from '../limits/networks.ts';

export function networkHash(userId: string, address: string): string {
  return createHash('sha256')
    .update(`${userId} ${addressKey(address)}`)
    .digest('hex');
}

/**
 * Returns whether the account with that email address or phone number has signed in from the client's network before.
 */
export async function isKnownNetwork(database: Queryable, name: string, address: string): Promise<boolean> {
  if (!address) return false;
  const { rowCount } = await database.query(
    `select from auth.users as account
     join backend.known_networks as network on network.user_id = account.id
       and network.network_hash = encode(sha256(convert_to(account.id::text || ' ' || $2, 'utf8')), 'hex')
     where (account.email = $1 and not account.is_sso_user) or account.phone = $1`,
    [name, addressKey(address)],
  );
  return rowCount > 0;
}

/** Deletes all known networks except that of `keepAddress`, for example when the password may have leaked. */
export async function deleteKnownNetworks(database: Queryable, userId: string, keepAddress = ''): Promise<void> {
  await database.query('delete from backend.known_networks where user_id = $1 and network_hash <> $2', [
    userId,
    networkHash(userId, keepAddress),
  ]);
}
