/**
 * Chooses the account for a profile from a provider. An address links to an existing account only if the provider has
 * verified it. Otherwise, an attacker could enter a victim's address at a provider and open the victim's account.
 * Supabase Auth trusts every address if confirmation is off (internal/models/linking.go, internal/api/external.go).
 */
import type { Queryable } from '../database/database.ts';
import { isUniqueViolation } from '../database/errors.ts';
import { audit } from './audit-log.ts';
import { type AuthCall, requireSignUps } from './auth-call.ts';
import { authError } from './error-codes.ts';
import type { ExternalEmail, ExternalProfile } from './providers/provider.ts';
import { addClaims, claimsThatFit } from './user-metadata.ts';
import { addIdentity, insertUser, isBanned, readUser, type UserRow } from './users.ts';
import {
  deleteCredentials,
  isAddressVerified,
  recordVerifiedAddress,
  requireLiveSession,
} from './verified-addresses.ts';

/**
 * Retries a transaction once if a concurrent transaction has created the same identity or address. The retry finds it.
 */
export async function retryOnConflict<Result>(transaction: () => Promise<Result>): Promise<Result> {
  try {
    return await transaction();
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    return transaction();
  }
}

/**
 * Returns the account for a provider's profile: the account with the identity, otherwise the account with a verified
 * address, otherwise a new account. Confirms the account.
 * @throws ApiError 403 user_banned, 422 provider_email_needs_verification or signup_disabled, 429, 500 if the addresses
 * belong to several accounts
 */
export async function ensureAccount(tx: Queryable, call: AuthCall, profile: ExternalProfile): Promise<UserRow> {
  const identity = await findIdentity(tx, profile);
  if (identity) return signInWithIdentity(tx, identity.user_id, profile);
  const verifiedEmails = profile.emails.filter((entry) => entry.verified).map(({ email }) => email);
  const ownerIds = verifiedEmails.length > 0 ? await findOwnerIds(tx, verifiedEmails) : [];
  if (ownerIds.length > 1) {
    throw authError(
      'unexpected_failure',
      'Multiple accounts with the same email address in the same linking domain detected: default',
    );
  }
  return ownerIds[0] ? linkByAddress(tx, call, ownerIds[0], verifiedEmails, profile) : createAccount(tx, call, profile);
}

/** Account to link an identity to, and the session that requested the link (null if unknown). */
export interface LinkTarget {
  userId: string;
  sessionId: string | null;
}

/**
 * Links a provider's profile to the account of a signed-in user.
 * @throws ApiError 422 identity_already_exists or provider_email_needs_verification, 403 user_banned or
 * session_not_found, 400 email_exists
 */
export async function linkToAccount(
  tx: Queryable,
  call: AuthCall,
  linkTo: LinkTarget,
  profile: ExternalProfile,
): Promise<UserRow> {
  const { userId } = linkTo;
  await requireUnlinked(tx, userId, profile);
  await requireLiveSession(tx, linkTo);
  const user = await readUser(tx, userId);
  requireNotBanned(user);
  await addIdentity(tx, userId, toIdentity(profile));
  const preferred = preferredEmail(profile);
  if (!user.email && preferred) {
    if (!preferred.verified) throw verificationError(profile);
    await tx
      .query('update auth.users set email = $2, email_confirmed_at = now(), updated_at = now() where id = $1', [
        userId,
        preferred.email,
      ])
      .catch((error: unknown) => {
        if (isUniqueViolation(error)) throw authError('email_exists', undefined, 400);
        throw error;
      });
    await recordVerifiedAddress(tx, userId, preferred.email);
  }
  await auditLink(tx, call, user, profile);
  return readUser(tx, userId);
}

/** @throws ApiError 422 identity_already_exists if an account has the identity */
export async function requireUnlinked(tx: Queryable, userId: string, profile: ExternalProfile): Promise<void> {
  const identity = await findIdentity(tx, profile);
  if (!identity) return;
  throw authError(
    'identity_already_exists',
    identity.user_id === userId ? 'Identity is already linked' : 'Identity is already linked to another user',
  );
}

async function findIdentity(tx: Queryable, { provider, subject }: ExternalProfile) {
  const { rows } = await tx.query<{ user_id: string }>(
    'select user_id from auth.identities where provider = $1 and provider_id = $2',
    [provider, subject],
  );
  return rows[0];
}

async function signInWithIdentity(tx: Queryable, userId: string, profile: ExternalProfile): Promise<UserRow> {
  const user = await lockUser(tx, userId);
  requireNotBanned(user);
  const isVerifiedByProvider = profile.emails.some(({ email, verified }) => verified && email === user.email);
  if (user.email && isVerifiedByProvider && !(await isAddressVerified(tx, userId, user.email))) {
    await resetCredentials(tx, userId, user.email);
    await addIdentity(tx, userId, toIdentity(profile));
  } else {
    if (user.email && !user.email_confirmed_at) throw verificationError(profile);
    await tx.query(
      `update auth.identities set identity_data = $3, last_sign_in_at = now(), updated_at = now()
       where provider = $1 and provider_id = $2`,
      [profile.provider, profile.subject, toIdentity(profile).data],
    );
  }
  await addClaims(tx, userId, toIdentity(profile).data);
  return readUser(tx, userId);
}

/** Returns the accounts with these addresses, or with an identity whose provider has verified one of them. */
async function findOwnerIds(tx: Queryable, emails: string[]): Promise<string[]> {
  const { rows } = await tx.query<{ id: string }>(
    `select id from auth.users where email = any($1) and not is_sso_user
     union
     select i.user_id from auth.identities i join auth.users u on u.id = i.user_id and not u.is_sso_user
     where i.email = any($1) and i.provider not in ('email', 'phone') and i.provider not like 'sso:%'
       and i.identity_data @> '{"email_verified": true}'`,
    [emails],
  );
  return rows.map(({ id }) => id);
}

async function linkByAddress(
  tx: Queryable,
  call: AuthCall,
  userId: string,
  verifiedEmails: string[],
  profile: ExternalProfile,
): Promise<UserRow> {
  const user = await lockUser(tx, userId);
  requireNotBanned(user);
  if (user.email && verifiedEmails.includes(user.email) && !(await isAddressVerified(tx, userId, user.email))) {
    await resetCredentials(tx, userId, user.email);
  }
  await addIdentity(tx, userId, toIdentity(profile));
  await addClaims(tx, userId, toIdentity(profile).data);
  await auditLink(tx, call, user, profile);
  return readUser(tx, userId);
}

/** Deletes all other credentials of the account with that address, so that only the provider's user can sign in. */
async function resetCredentials(tx: Queryable, userId: string, email: string): Promise<void> {
  await deleteCredentials(tx, userId, email);
  await tx.query('delete from auth.identities where user_id = $1', [userId]);
  await tx.query(
    `update auth.users set email_confirmed_at = coalesce(email_confirmed_at, now()),
       raw_app_meta_data = raw_app_meta_data - 'provider' - 'providers' where id = $1`,
    [userId],
  );
}

async function createAccount(tx: Queryable, call: AuthCall, profile: ExternalProfile): Promise<UserRow> {
  const { config, limits } = call.auth;
  requireSignUps(call);
  const preferred = preferredEmail(profile);
  if (preferred && !preferred.verified) {
    const owners = await tx.query('select from auth.users where email = $1 and not is_sso_user', [preferred.email]);
    if (config.AUTH_CONFIRM_EMAIL || owners.rowCount > 0) throw verificationError(profile);
  }
  await limits.signUpPerAddress.consume(call.address);
  const identity = toIdentity(profile);
  const user = await insertUser(tx, {
    email: preferred?.email,
    encryptedPassword: null,
    isEmailConfirmed: preferred !== undefined,
    userMetadata: claimsThatFit(identity.data),
    identities: [identity],
  });
  if (preferred?.verified) await recordVerifiedAddress(tx, user.id, preferred.email);
  await audit(tx, 'user_signedup', { id: user.id, email: user.email ?? '' }, call.address, {
    provider: profile.provider,
  });
  return user;
}

/** Locks the account until the transaction ends, so that only one of two concurrent sign-ins finds it unverified. */
async function lockUser(tx: Queryable, userId: string): Promise<UserRow> {
  await tx.query('select from auth.users where id = $1 for update', [userId]);
  return readUser(tx, userId);
}

function requireNotBanned(user: UserRow): void {
  if (isBanned(user)) throw authError('user_banned', undefined, 403);
}

/** Returns the best address of a profile: verified before unverified, then primary before others. */
function preferredEmail({ emails }: ExternalProfile): ExternalEmail | undefined {
  const rank = ({ verified, primary }: ExternalEmail) => (verified ? 2 : 0) + (primary ? 1 : 0);
  return [...emails].sort((a, b) => rank(b) - rank(a))[0];
}

function toIdentity(profile: ExternalProfile) {
  const preferred = preferredEmail(profile);
  const data = {
    ...profile.claims,
    ...(preferred && { email: preferred.email }),
    email_verified: preferred?.verified ?? false,
    phone_verified: false,
  };
  return { provider: profile.provider, providerId: profile.subject, data };
}

async function auditLink(tx: Queryable, call: AuthCall, user: UserRow, profile: ExternalProfile): Promise<void> {
  await audit(tx, 'identity_linked', { id: user.id, email: user.email ?? '' }, call.address, {
    provider: profile.provider,
    provider_id: profile.subject,
  });
}

function verificationError({ provider }: ExternalProfile): Error {
  return authError(
    'provider_email_needs_verification',
    `Unverified email with ${provider}. Verify the email with ${provider} in order to sign in`,
  );
}
