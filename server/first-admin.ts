/** Admins as the command line and the first start make them, without the API. */

import { randomInt } from 'node:crypto';
import {
  audit,
  type Config,
  confirmAddress,
  type Database,
  dropWaysIn,
  endTokens,
  findUserByEmail,
  forgetNetworks,
  hashPassword,
  insertUser,
  isProven,
  normalizeEmail,
  noteProven,
} from '@signalfjord/backend';

/** The address of the first admin when ADMIN_EMAIL gives none; no mail can reach it. */
const DEFAULT_EMAIL = 'admin@example.com';

export interface NewAdmin {
  email: string;
  /** The password that was made up, or null when the person has one already. */
  password: string | null;
}

/**
 * Creates the first admin when there is none: ADMIN_EMAIL with ADMIN_PASSWORD, or else a made-up password that only the
 * returned value tells, and `keep`: when that fails, there is no admin either.
 * @returns null when there is an admin already
 */
export async function ensureFirstAdmin(
  database: Database,
  config: Config,
  keep: (admin: { email: string; password: string }) => Promise<void> = async () => undefined,
): Promise<NewAdmin | null> {
  if (await hasAdmin(database)) return null;
  const password = config.ADMIN_PASSWORD ?? randomPassword();
  const email = normalizeEmail(config.ADMIN_EMAIL ?? DEFAULT_EMAIL);
  // Hashing takes long, so a transaction would hold its connection meanwhile.
  const encryptedPassword = await hashPassword(password);
  return database.transaction(async (tx) => {
    // The second of two copies of the process that start at once waits here.
    await tx.query('lock table public.user_roles in exclusive mode');
    if (await hasAdmin(tx)) return null;
    const known = await findUserByEmail(tx, email);
    const user = known ?? (await insertUser(tx, { email, encryptedPassword, emailConfirmed: true, userMetadata: {} }));
    if (known) {
      // A stranger who registered this address before the operator named it must not become admin with their own
      // password.
      await takeBack(tx, known.id, email);
      await confirmAddress(tx, known.id, 'email');
      await tx.query('update auth.users set encrypted_password = $2 where id = $1', [known.id, encryptedPassword]);
      await tx.query('delete from auth.sessions where user_id = $1', [known.id]);
    }
    await noteProven(tx, user.id, email);
    await grantAdmin(tx, user.id);
    if (config.ADMIN_PASSWORD) return { email, password: null };
    await keep({ email, password });
    return { email, password };
  });
}

type Transaction = Pick<Database, 'query'>;

/** Drops the account's ways in when nobody has proven the address. @returns true when nobody has */
async function takeBack(tx: Transaction, userId: string, email: string): Promise<boolean> {
  if (await isProven(tx, userId, email)) return false;
  await dropWaysIn(tx, userId, email);
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
 * Makes the account of that address an admin; creates the account, with a made-up password, when there is none. An account
 * whose address nobody has proven begins anew, with a made-up password as well.
 */
export async function addAdmin(database: Database, address: string): Promise<NewAdmin> {
  const email = normalizeEmail(address);
  const password = randomPassword();
  const encryptedPassword = await hashPassword(password);
  return database.transaction(async (tx) => {
    const known = await findUserByEmail(tx, email);
    const user = known ?? (await insertUser(tx, { email, encryptedPassword, emailConfirmed: true, userMetadata: {} }));
    const begins = !known || (await takeBack(tx, known.id, email));
    if (known && begins) {
      await confirmAddress(tx, known.id, 'email');
      await tx.query('update auth.users set encrypted_password = $2 where id = $1', [known.id, encryptedPassword]);
    }
    await noteProven(tx, user.id, email);
    await grantAdmin(tx, user.id);
    return { email, password: begins ? password : null };
  });
}

/** Takes the role away; the account stays, as a client. @returns false when that address is no admin's */
export async function removeAdmin(database: Database, address: string): Promise<boolean> {
  const { rowCount } = await database.query(
    `update public.user_roles set role = 'client', approved = true
     where role = 'admin' and user_id = (select id from auth.users where email = $1 and not is_sso_user)`,
    [normalizeEmail(address)],
  );
  return rowCount > 0;
}

/**
 * Removes the second factors, recovery codes and passkeys of the account of that address, and ends its sessions: for
 * somebody who lost them. The password still signs in.
 * @returns how many factors there were, or null when there is no such account
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

/** Actor of password changes from the command line, in the audit log. */
const OPERATOR = { id: '00000000-0000-0000-0000-000000000000', email: 'command line' };

/**
 * Gives the account of that address the password, or one that is made up, and ends its sessions. The address counts as
 * confirmed: the operator of the server says that it is theirs. Links that were mailed to change password or address
 * stop working.
 * @returns the password that was made up, or null when one was given; undefined when there is no such account
 */
export async function setPassword(
  database: Database,
  address: string,
  given: string | null,
): Promise<string | null | undefined> {
  const password = given ?? randomPassword();
  const encryptedPassword = await hashPassword(password);
  return database.transaction(async (tx) => {
    const user = await findUserByEmail(tx, normalizeEmail(address));
    if (!user) return undefined;
    await takeBack(tx, user.id, normalizeEmail(address));
    await confirmAddress(tx, user.id, 'email');
    await tx.query('update auth.users set encrypted_password = $2, updated_at = now() where id = $1', [
      user.id,
      encryptedPassword,
    ]);
    await endTokens(tx, user.id, [
      'recovery_token',
      'reauthentication_token',
      'email_change_token_new',
      'email_change_token_current',
      'phone_change_token',
    ]);
    await tx.query('delete from auth.sessions where user_id = $1', [user.id]);
    await forgetNetworks(tx, user.id);
    await audit(tx, 'user_modified', OPERATOR, '', { user_id: user.id });
    return given === null ? password : null;
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

/** Sixteen characters that nobody mistakes for each other, with all that the rules ask for. */
function randomPassword(): string {
  const pick = (from: string) => from[randomInt(from.length)] ?? '';
  const groups = ['ABCDEFGHJKLMNPQRSTUVWXYZ', 'abcdefghijkmnpqrstuvwxyz', '23456789'];
  const all = groups.join('');
  const rest = Array.from({ length: 13 }, () => pick(all)).join('');
  return `${groups.map(pick).join('')}${rest}`;
}
