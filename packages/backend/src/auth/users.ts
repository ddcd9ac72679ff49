/**
 * Accounts: rows of auth.users with their identities, and the JSON format of an account (User in the official client).
 */
import type { Queryable } from '../database/database.ts';
import { isUniqueViolation } from '../database/errors.ts';
import { authError } from './error-codes.ts';
import { type PendingSignUp, revokeTokens } from './one-time-tokens.ts';

export interface UserRow {
  id: string;
  aud: string | null;
  role: string | null;
  email: string | null;
  encrypted_password: string | null;
  email_confirmed_at: Date | null;
  invited_at: Date | null;
  confirmation_sent_at: Date | null;
  recovery_sent_at: Date | null;
  email_change: string | null;
  email_change_sent_at: Date | null;
  email_change_confirm_status: number;
  last_sign_in_at: Date | null;
  raw_app_meta_data: Record<string, unknown> | null;
  raw_user_meta_data: Record<string, unknown> | null;
  created_at: Date | null;
  updated_at: Date | null;
  phone: string | null;
  phone_confirmed_at: Date | null;
  phone_change: string | null;
  phone_change_sent_at: Date | null;
  confirmed_at: Date | null;
  banned_until: Date | null;
  reauthentication_sent_at: Date | null;
  is_sso_user: boolean;
  deleted_at: Date | null;
  is_anonymous: boolean;
  identities: IdentityRow[];
  factors: Record<string, unknown>[];
}

interface IdentityRow {
  id: string;
  provider_id: string;
  user_id: string;
  identity_data: Record<string, unknown>;
  provider: string;
  last_sign_in_at: string | null;
  created_at: string | null;
  updated_at: string | null;
  email: string | null;
}

export const SELECT_USERS = `
  select u.*,
    coalesce((select jsonb_agg(to_jsonb(i) order by i.created_at) from auth.identities i where i.user_id = u.id), '[]')
      as identities,
    coalesce((
      select jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
        'id', f.id, 'friendly_name', f.friendly_name, 'factor_type', f.factor_type, 'status', f.status, 'phone', f.phone,
        'last_challenged_at', f.last_challenged_at, 'created_at', f.created_at, 'updated_at', f.updated_at
      )) order by f.created_at) from auth.mfa_factors f where f.user_id = u.id
    ), '[]') as factors
  from auth.users u`;

/** Addresses are compared and stored in lower case. */
export function normalizeEmail(email: string): string {
  return email.trim().toLowerCase();
}

export async function findUserById(database: Queryable, id: string): Promise<UserRow | undefined> {
  return (await database.query<UserRow>(`${SELECT_USERS} where u.id = $1`, [id])).rows[0];
}

export async function findUserByEmail(database: Queryable, email: string): Promise<UserRow | undefined> {
  const { rows } = await database.query<UserRow>(`${SELECT_USERS} where u.email = $1 and not u.is_sso_user`, [email]);
  return rows[0];
}

/** `phone` is E.164 without the plus sign. */
export async function findUserByPhone(database: Queryable, phone: string): Promise<UserRow | undefined> {
  return (await database.query<UserRow>(`${SELECT_USERS} where u.phone = $1`, [phone])).rows[0];
}

/** @throws Error if the row is missing, which only a concurrent deletion can cause. */
export async function readUser(database: Queryable, id: string): Promise<UserRow> {
  const user = await findUserById(database, id);
  if (!user) throw new Error(`User ${id} no longer exists`);
  return user;
}

export function isBanned(user: UserRow): boolean {
  return user.banned_until !== null && user.banned_until.getTime() > Date.now();
}

/** An identity: a row of auth.identities. */
export interface NewIdentity {
  /** Name of the provider, such as email, phone, google, web3 or sso:<provider's id>. */
  provider: string;
  /** Id of the user at the provider. For email and phone, the account's id. */
  providerId: string;
  data: Record<string, unknown>;
}

export interface NewUser {
  id?: string | undefined;
  email?: string | null | undefined;
  phone?: string | null | undefined;
  encryptedPassword: string | null;
  isEmailConfirmed?: boolean;
  isPhoneConfirmed?: boolean;
  isInvited?: boolean;
  isAnonymous?: boolean;
  isSsoUser?: boolean;
  role?: string | undefined;
  userMetadata: Record<string, unknown>;
  appMetadata?: Record<string, unknown>;
  /** Default: one for the email address and one for the phone number, if present. */
  identities?: NewIdentity[];
}

/**
 * Adds an account with its identities in one statement.
 * @throws DatabaseError 23505 if the email address, phone number or an identity is taken
 */
export async function insertUser(database: Queryable, user: NewUser): Promise<UserRow> {
  const id = user.id ?? crypto.randomUUID();
  await insert(database, id, user, '');
  return readUser(database, id);
}

/**
 * Adds an identity to an account, and its provider to app_metadata. The account is no longer anonymous.
 * @throws DatabaseError 23505 if an account has that identity already
 */
export async function addIdentity(database: Queryable, userId: string, identity: NewIdentity): Promise<void> {
  await database.query(
    `with added as (
      insert into auth.identities (provider_id, user_id, identity_data, provider, last_sign_in_at, created_at, updated_at)
      values ($2, $1, $3, $4::text, now(), now(), now()) returning provider
    )
    update auth.users set is_anonymous = false, updated_at = now(),
      raw_app_meta_data = jsonb_build_object('provider', added.provider) || coalesce(raw_app_meta_data, '{}')
        || jsonb_build_object('providers',
          (coalesce(raw_app_meta_data -> 'providers', '[]') - added.provider) || to_jsonb(added.provider))
    from added where id = $1`,
    [userId, identity.providerId, identity.data, identity.provider],
  );
}

/** Address of a sign-up. */
export type Address = { email: string } | { phone: string };

export function findUserByAddress(database: Queryable, address: Address): Promise<UserRow | undefined> {
  return 'email' in address ? findUserByEmail(database, address.email) : findUserByPhone(database, address.phone);
}

/**
 * Returns the account of that address, or creates one: unconfirmed, without a password or data. The statements are the
 * same either way, so that the response time does not reveal whether the account exists.
 */
export async function ensureUser(database: Queryable, address: Address): Promise<UserRow> {
  const id = crypto.randomUUID();
  const empty = { ...address, encryptedPassword: null, userMetadata: addressClaims(id, address, false) };
  const conflictTarget = 'email' in address ? '(email) where is_sso_user = false' : '(phone)';
  await insert(database, id, empty, `on conflict ${conflictTarget} do nothing`);
  const user = await findUserByAddress(database, address);
  if (!user) throw new Error('An account was deleted during sign-up');
  return user;
}

/**
 * Builds the claims of an account's email identity. As in Supabase Auth, they are also copied to user_metadata, because
 * clients read them there. They override sign-up data of the same name.
 */
export function emailClaims(id: string, email: string, isVerified: boolean) {
  return { sub: id, email, email_verified: isVerified, phone_verified: false };
}

/** Builds the claims of a phone number's identity. */
export function phoneClaims(id: string, phone: string, isVerified: boolean) {
  return { sub: id, phone, email_verified: false, phone_verified: isVerified };
}

export function addressClaims(id: string, address: Address, isVerified: boolean) {
  return 'email' in address ? emailClaims(id, address.email, isVerified) : phoneClaims(id, address.phone, isVerified);
}

/** Identities for an account's own addresses. */
function ownIdentities(id: string, user: NewUser): NewIdentity[] {
  const { email, phone, isEmailConfirmed = false, isPhoneConfirmed = false } = user;
  const byEmail = email && { ...emailClaims(id, email, isEmailConfirmed), phone_verified: isPhoneConfirmed };
  const byPhone = phone && { ...phoneClaims(id, phone, isPhoneConfirmed), email_verified: isEmailConfirmed };
  return [
    ...(byEmail ? [{ provider: 'email', providerId: id, data: byEmail }] : []),
    ...(byPhone ? [{ provider: 'phone', providerId: id, data: byPhone }] : []),
  ];
}

async function insert(database: Queryable, id: string, user: NewUser, onConflict: string): Promise<void> {
  const identities = user.identities ?? ownIdentities(id, user);
  const providers = [...new Set(identities.map(({ provider }) => provider))];
  await database.query(
    `with created as (
      insert into auth.users (
        instance_id, id, aud, role, email, phone, encrypted_password, email_confirmed_at, phone_confirmed_at, invited_at,
        confirmation_token, recovery_token, email_change_token_new, email_change,
        raw_app_meta_data, raw_user_meta_data, is_anonymous, is_sso_user, created_at, updated_at
      ) values (
        '00000000-0000-0000-0000-000000000000', $1, 'authenticated', $2, $3::text, $4::text, $5,
        case when $6 then now() end, case when $7 then now() end, case when $8 then now() end,
        '', '', '', '', $9, $10, $11, $12, now(), now()
      ) ${onConflict} returning id
    )
    insert into auth.identities (provider_id, user_id, identity_data, provider, last_sign_in_at, created_at, updated_at)
    select identity ->> 'providerId', created.id, identity -> 'data', identity ->> 'provider', now(), now(), now()
    from created, jsonb_array_elements($13::jsonb) as identity`,
    [
      id,
      user.role ?? 'authenticated',
      user.email || null,
      user.phone || null,
      user.encryptedPassword ?? '',
      user.isEmailConfirmed ?? false,
      user.isPhoneConfirmed ?? false,
      user.isInvited ?? false,
      { ...(providers[0] ? { provider: providers[0], providers } : {}), ...user.appMetadata },
      user.userMetadata,
      user.isAnonymous ?? false,
      user.isSsoUser ?? false,
      JSON.stringify(identities),
    ],
  );
}

/**
 * Marks the email address or phone number as confirmed, on the account and its identity. If no address was confirmed
 * before, the account gets the password and data of this sign-up. Other pending sign-ups for it are deleted.
 */
export async function confirmAddress(
  database: Queryable,
  id: string,
  kind: 'email' | 'phone',
  pendingSignUp?: PendingSignUp,
): Promise<void> {
  const otherKind = kind === 'email' ? 'phone' : 'email';
  await database.query(
    `with confirmed as (
      update auth.users set ${kind}_confirmed_at = coalesce(${kind}_confirmed_at, now()),
        encrypted_password = case when confirmed_at is null then coalesce($2, encrypted_password) else encrypted_password end,
        raw_user_meta_data = coalesce(raw_user_meta_data, '{}')
          || case when confirmed_at is null then $3::jsonb else '{}' end || jsonb_build_object(
          'sub', id, '${kind}', ${kind}, '${kind}_verified', true,
          '${otherKind}_verified', ${otherKind}_confirmed_at is not null), updated_at = now()
      where id = $1 returning id
    )
    update auth.identities set identity_data = identity_data || '{"${kind}_verified": true}', updated_at = now()
    where provider = '${kind}' and user_id = (select id from confirmed)`,
    [id, pendingSignUp?.encryptedPassword, pendingSignUp?.userMetadata ?? {}],
  );
  await revokeTokens(database, id, ['confirmation_token']);
}

/**
 * Throws a unique violation of an address at the end of a transaction as an API error. Rethrows other errors. @throws
 * ApiError 422 email_exists or phone_exists
 */
export function throwAddressTaken(error: unknown): never {
  if (isUniqueViolation(error)) {
    throw authError(error.constraint?.includes('phone') ? 'phone_exists' : 'email_exists');
  }
  throw error;
}

/** Formats an account as Supabase Auth does: null addresses become "", and unset times are omitted. */
export function userJson(user: UserRow): Record<string, unknown> {
  return {
    id: user.id,
    aud: user.aud ?? '',
    role: user.role ?? '',
    email: user.email ?? '',
    ...timeField('email_confirmed_at', user.email_confirmed_at),
    ...timeField('invited_at', user.invited_at),
    phone: user.phone ?? '',
    ...timeField('phone_confirmed_at', user.phone_confirmed_at),
    ...timeField('confirmation_sent_at', user.confirmation_sent_at),
    ...timeField('confirmed_at', user.confirmed_at),
    ...timeField('recovery_sent_at', user.recovery_sent_at),
    ...(user.email_change ? { new_email: user.email_change } : {}),
    ...timeField('email_change_sent_at', user.email_change_sent_at),
    ...(user.phone_change ? { new_phone: user.phone_change } : {}),
    ...timeField('phone_change_sent_at', user.phone_change_sent_at),
    ...timeField('reauthentication_sent_at', user.reauthentication_sent_at),
    ...timeField('last_sign_in_at', user.last_sign_in_at),
    app_metadata: user.raw_app_meta_data ?? {},
    user_metadata: user.raw_user_meta_data ?? {},
    ...(user.factors.length > 0 ? { factors: user.factors } : {}),
    identities: user.identities.map(identityJson),
    ...timeField('banned_until', user.banned_until),
    ...timeField('created_at', user.created_at),
    ...timeField('updated_at', user.updated_at),
    ...timeField('deleted_at', user.deleted_at),
    ...(user.is_sso_user ? { is_sso_user: true } : {}),
    is_anonymous: user.is_anonymous,
  };
}

/** Formats an identity: `id` is the provider's id and `identity_id` the row's. */
function identityJson(identity: IdentityRow): Record<string, unknown> {
  return {
    identity_id: identity.id,
    id: identity.provider_id,
    user_id: identity.user_id,
    identity_data: identity.identity_data,
    provider: identity.provider,
    ...timeField('last_sign_in_at', identity.last_sign_in_at),
    ...timeField('created_at', identity.created_at),
    ...timeField('updated_at', identity.updated_at),
    ...(identity.email ? { email: identity.email } : {}),
  };
}

function timeField(name: string, value: Date | string | null): Record<string, string> {
  return value === null ? {} : { [name]: new Date(value).toISOString() };
}
