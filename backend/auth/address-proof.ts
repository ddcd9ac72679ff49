/**
 * Without AUTH_CONFIRM_EMAIL an address counts as confirmed though nobody has shown that they read it, so a stranger may
 * have signed up with it. When its owner then comes through a provider that vouches for the address, what was set up
 * before is dropped, as Supabase Auth does for unconfirmed accounts (User.RemoveUnconfirmedIdentities).
 */
import type { Queryable } from '../database/database.ts';
import { forgetNetworks } from './known-networks.ts';
import type { UserRow } from './users.ts';

const WAYS_IN = [
  'identities',
  'sessions',
  'mfa_factors',
  'webauthn_credentials',
  'webauthn_challenges',
  'one_time_tokens',
  // Applications that were let in.
  'oauth_authorizations',
  'oauth_consents',
] as const;

/** Notes that the address of a new account was taken without proof. */
export async function noteUnproven(database: Queryable, userId: string): Promise<void> {
  await database.query('insert into backend.unproven_addresses (user_id) values ($1) on conflict do nothing', [userId]);
}

/** Notes that somebody showed that they read the mails of the account. */
export async function noteProven(database: Queryable, userId: string): Promise<void> {
  await database.query('delete from backend.unproven_addresses where user_id = $1', [userId]);
}

/** Whether the account's e-mail address may be somebody else's. */
export async function isUnproven(database: Queryable, user: UserRow): Promise<boolean> {
  if (!user.email_confirmed_at) return true;
  const { rowCount } = await database.query('select from backend.unproven_addresses where user_id = $1', [user.id]);
  return rowCount > 0;
}

/**
 * Hands the account to whoever has just proved to own its address: password, identities, factors, sessions, data,
 * applications and everything on its way to a mailbox go, the address is confirmed.
 */
export async function dropWaysIn(tx: Queryable, userId: string): Promise<void> {
  await tx.query(
    `update auth.users set encrypted_password = '', email_confirmed_at = coalesce(email_confirmed_at, now()),
       email_change = '', email_change_confirm_status = 0, phone = null, phone_confirmed_at = null,
       raw_user_meta_data = '{}', raw_app_meta_data = coalesce(raw_app_meta_data, '{}') - 'provider' - 'providers',
       updated_at = now() where id = $1`,
    [userId],
  );
  for (const table of WAYS_IN) await tx.query(`delete from auth.${table} where user_id = $1`, [userId]);
  await tx.query(
    `update backend.mailed_tokens set ended_at = coalesce(ended_at, now()), encrypted_password = null, user_metadata = null
     where user_id = $1`,
    [userId],
  );
  await tx.query('delete from auth.flow_state where user_id = $1 or linking_target_id = $1', [userId]);
  await forgetNetworks(tx, userId);
  await noteProven(tx, userId);
}
