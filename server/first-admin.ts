/** Admin accounts, created from the command line or at the first start, without the API. */

import { randomInt } from 'node:crypto';
import {
  audit,
  type Config,
  confirmAddress,
  type Database,
  deleteCredentials,
  deleteKnownNetworks,
  findUserByEmail,
  hashPassword,
  insertUser,
  isAddressVerified,
  normalizeEmail,
  recordVerifiedAddress,
  revokeTokens,
} from '@signalfjord/backend';

/** Default for ADMIN_EMAIL. It cannot receive email. */
const DEFAULT_EMAIL = 'admin@example.com';

export interface NewAdmin {
  email: string;
  /** Generated password, or null if the account already had a password. */
  password: string | null;
}

/**
 * Creates the first admin if no admin exists, with ADMIN_EMAIL and ADMIN_PASSWORD or a generated password. `storePassword`
 * is called before the admin is committed. If it fails, the admin is not created.
 * @returns null if an admin already exists
 */
export async function ensureFirstAdmin(
  database: Database,
  config: Config,
  storePassword: (admin: { email: string; password: string }) => Promise<void> = async () => undefined,
): Promise<NewAdmin | null> {
  if (await hasAdmin(database)) return null;
  const password = config.ADMIN_PASSWORD ?? randomPassword();
  const email = normalizeEmail(config.ADMIN_EMAIL ?? DEFAULT_EMAIL);
  // Hash outside the transaction, because hashing is slow and would hold the connection.
  const encryptedPassword = await hashPassword(password);
  return database.transaction(async (tx) => {
    // Serializes two processes that start at the same time.
    await tx.query('lock table public.user_roles in exclusive mode');
    if (await hasAdmin(tx)) return null;
    const existing = await findUserByEmail(tx, email);
    const user =
      existing ?? (await insertUser(tx, { email, encryptedPassword, isEmailConfirmed: true, userMetadata: {} }));
    if (existing) {
      // Someone may have registered this address before the operator configured it. They must not become admin with
      // their own password.
      await deleteUnverifiedCredentials(tx, existing.id, email);
      await confirmAddress(tx, existing.id, 'email');
      await tx.query('update auth.users set encrypted_password = $2 where id = $1', [existing.id, encryptedPassword]);
      await tx.query('delete from auth.sessions where user_id = $1', [existing.id]);
    }
    await recordVerifiedAddress(tx, user.id, email);
    await grantAdmin(tx, user.id);
    if (config.ADMIN_PASSWORD) return { email, password: null };
    await storePassword({ email, password });
    return { email, password };
  });
}

type Transaction = Pick<Database, 'query'>;

/** Deletes the credentials of an account if its email address is unconfirmed. @returns true if they were deleted */
async function deleteUnverifiedCredentials(tx: Transaction, userId: string, email: string): Promise<boolean> {
  if (await isAddressVerified(tx, userId, email)) return false;
  await deleteCredentials(tx, userId, email);
  return true;
}

async function hasAdmin(database: Transaction): Promise<boolean> {
  const { rowCount } = await database.query(`select from public.user_roles where role = 'admin' and approved limit 1`);
  return rowCount > 0;
}

async function grantAdmin(database: Transaction, userId: string): Promise<void> {
  await database.query(
    `insert into public.user_roles (user_id, role, approved) values ($1, 'admin', true)
     on conflict (user_id) do update set role = 'admin', approved = true`,
    [userId],
  );
}

/**
 * Makes the account with this address an admin, and creates it with a generated password if it does not exist. An
 * account with an unconfirmed address also gets a new password.
 */
export async function addAdmin(database: Database, address: string): Promise<NewAdmin> {
  const email = normalizeEmail(address);
  const password = randomPassword();
  const encryptedPassword = await hashPassword(password);
  return database.transaction(async (tx) => {
    const existing = await findUserByEmail(tx, email);
    const user =
      existing ?? (await insertUser(tx, { email, encryptedPassword, isEmailConfirmed: true, userMetadata: {} }));
    const getsPassword = !existing || (await deleteUnverifiedCredentials(tx, existing.id, email));
    if (existing && getsPassword) {
      await confirmAddress(tx, existing.id, 'email');
      await tx.query('update auth.users set encrypted_password = $2 where id = $1', [existing.id, encryptedPassword]);
    }
    await recordVerifiedAddress(tx, user.id, email);
    await grantAdmin(tx, user.id);
    return { email, password: getsPassword ? password : null };
  });
}

/** Removes the admin role. The account becomes a client. @returns false if the account is not an admin */
export async function removeAdmin(database: Database, address: string): Promise<boolean> {
  const { rowCount } = await database.query(
    `update public.user_roles set role = 'client', approved = true
     where role = 'admin' and user_id = (select id from auth.users where email = $1 and not is_sso_user)`,
    [normalizeEmail(address)],
  );
  return rowCount > 0;
}

/**
 * Deletes second factors, recovery codes and passkeys of an account, and ends its sessions, for users who lost their
 * device. The password stays valid.
 * @returns the number of deleted factors, or null if the account does not exist
 */
export async function resetFactors(database: Database, address: string): Promise<number | null> {
  return database.transaction(async (tx) => {
    const user = await findUserByEmail(tx, normalizeEmail(address));
    if (!user) return null;
    const { rowCount } = await tx.query('delete from auth.mfa_factors where user_id = $1', [user.id]);
    await tx.query('delete from auth.webauthn_credentials where user_id = $1', [user.id]);
    await tx.query('delete from backend.factor_guesses where user_id = $1', [user.id]);
    await tx.query('delete from auth.sessions where user_id = $1', [user.id]);
    return rowCount;
  });
}

/** Actor in the audit log for password changes from the command line. */
const OPERATOR = { id: '00000000-0000-0000-0000-000000000000', email: 'command line' };

/**
 * Sets a given or generated password for an account and ends its sessions. The operator vouches for the address, so
 * it becomes confirmed. Pending email change and recovery links become invalid.
 * @returns the generated password, null if a password was given, undefined if the account does not exist
 */
export async function setPassword(
  database: Database,
  address: string,
  requestedPassword: string | null,
): Promise<string | null | undefined> {
  const password = requestedPassword ?? randomPassword();
  const encryptedPassword = await hashPassword(password);
  return database.transaction(async (tx) => {
    const user = await findUserByEmail(tx, normalizeEmail(address));
    if (!user) return undefined;
    await deleteUnverifiedCredentials(tx, user.id, normalizeEmail(address));
    await confirmAddress(tx, user.id, 'email');
    await tx.query('update auth.users set encrypted_password = $2, updated_at = now() where id = $1', [
      user.id,
      encryptedPassword,
    ]);
    await revokeTokens(tx, user.id, [
      'recovery_token',
      'reauthentication_token',
      'email_change_token_new',
      'email_change_token_current',
      'phone_change_token',
    ]);
    await tx.query('delete from auth.sessions where user_id = $1', [user.id]);
    await deleteKnownNetworks(tx, user.id);
    await audit(tx, 'user_modified', OPERATOR, '', { user_id: user.id });
    return requestedPassword === null ? password : null;
  });
}

export async function listAdmins(database: Database): Promise<{ email: string; created_at: Date }[]> {
  const { rows } = await database.query<{ email: string; created_at: Date }>(
    `select coalesce(u.email, 'Unknown') as email, r.created_at
     from public.user_roles r join auth.users u on u.id = r.user_id
     where r.role = 'admin' and r.approved order by r.created_at`,
  );
  return rows;
}

/** Generates a password of 16 unambiguous characters that satisfies the password rules. */
function randomPassword(): string {
  const pick = (from: string) => from[randomInt(from.length)] ?? '';
  const groups = ['ABCDEFGHJKLMNPQRSTUVWXYZ', 'abcdefghijkmnpqrstuvwxyz', '23456789'];
  const allCharacters = groups.join('');
  const otherCharacters = Array.from({ length: 13 }, () => pick(allCharacters)).join('');
  return `${groups.map(pick).join('')}${otherCharacters}`;
}
