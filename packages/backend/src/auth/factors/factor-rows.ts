/** Second factors: rows of auth.mfa_factors. Only verified factors count. Unverified factors are deleted. */
import { DatabaseError, type Queryable } from '../../database/database.ts';
import { isUuid } from '../../http/uuid.ts';
import type { SignedIn } from '../auth-call.ts';
import type { AuthenticationMethod } from '../authentication-methods.ts';
import { authError } from '../error-codes.ts';
import type { UserRow } from '../users.ts';
import type { StoredCredential } from './webauthn.ts';

type FactorType = 'totp' | 'phone' | 'webauthn' | 'recovery_code';

export interface FactorRow {
  id: string;
  user_id: string;
  friendly_name: string | null;
  factor_type: FactorType;
  status: 'unverified' | 'verified';
  secret: string | null;
  phone: string | null;
  last_challenged_at: Date | null;
  web_authn_credential: StoredCredential | null;
}

/** Name of each type of factor in the amr claim. */
export const AMR_NAMES: Record<FactorType, AuthenticationMethod> = {
  totp: 'totp',
  phone: 'mfa/phone',
  webauthn: 'mfa/webauthn',
  recovery_code: 'mfa/recovery_code',
};

/** Maximum number of verified and unverified factors. The default of Supabase Auth. */
const MAX_FACTORS = 10;
/** Age in seconds at which an unverified enrolment expires. */
const ENROLMENT_SECONDS = 300;

function hasVerifiedFactor(user: UserRow): boolean {
  return user.factors.some((factor) => factor['status'] === 'verified');
}

/**
 * Requires a second factor in this session if the user has one.
 * @throws ApiError insufficient_aal; the status differs by endpoint, as with Supabase Auth
 */
export function requireSecondFactor({ user, aal }: SignedIn, message: string, status?: 401 | 403 | 422): void {
  if (aal !== 'aal2' && hasVerifiedFactor(user)) throw authError('insufficient_aal', message, status);
}

/** @throws ApiError 404 if the account has no such factor */
export async function requireFactor(database: Queryable, userId: string, id: string): Promise<FactorRow> {
  if (!isUuid(id)) throw authError('validation_failed', 'factor_id must be an UUID', 404);
  const { rows } = await database.query<FactorRow>(
    `select id, user_id, friendly_name, factor_type, status, secret, phone, last_challenged_at, web_authn_credential
     from auth.mfa_factors where id = $1 and user_id = $2`,
    [id, userId],
  );
  if (!rows[0]) throw authError('mfa_factor_not_found');
  return rows[0];
}

export interface NewFactor {
  type: FactorType;
  friendlyName: string;
  status?: FactorRow['status'];
  secret?: string;
  phone?: string;
}

/**
 * Adds a factor if the limit is not reached. Locks the account, so that concurrent requests cannot exceed it.
 * @returns the factor's id
 * @throws ApiError 422 mfa_factor_name_conflict, too_many_enrolled_mfa_factors, or mfa_verified_factor_exists for a
 * phone
 */
export async function insertFactor(tx: Queryable, userId: string, factor: NewFactor): Promise<string> {
  await tx.query('select from auth.users where id = $1 for update', [userId]);
  await tx.query(
    `delete from auth.mfa_factors where user_id = $1 and status = 'unverified'
       and created_at < now() - make_interval(secs => ${ENROLMENT_SECONDS})`,
    [userId],
  );
  await tx.query(`delete from auth.mfa_factors where user_id = $1 and phone = $2 and status = 'unverified'`, [
    userId,
    factor.phone,
  ]);
  const { rows } = await tx.query<{ total: number; same_name: boolean | null; same_phone: boolean | null }>(
    `select count(*)::int as total, bool_or(coalesce(friendly_name, '') = $2) as same_name,
       bool_or(phone = $3) as same_phone
     from auth.mfa_factors where user_id = $1`,
    [userId, factor.friendlyName, factor.phone],
  );
  if (rows[0]?.same_phone) {
    throw authError(
      'mfa_verified_factor_exists',
      'A verified phone factor already exists, unenroll the existing factor to continue',
    );
  }
  if (rows[0]?.same_name) throw nameConflict(factor.friendlyName);
  if ((rows[0]?.total ?? 0) >= MAX_FACTORS) throw authError('too_many_enrolled_mfa_factors');
  const id = crypto.randomUUID();
  await tx
    .query(
      `insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status, secret, phone, created_at, updated_at)
       values ($1, $2, $3, $4, $5, $6, $7, now(), now())`,
      [id, userId, factor.friendlyName, factor.type, factor.status ?? 'unverified', factor.secret, factor.phone],
    )
    .catch((error: unknown) => {
      // The unique index ignores empty names, so only a name can conflict.
      if (error instanceof DatabaseError && error.constraint === 'mfa_factors_user_friendly_name_unique') {
        throw nameConflict(factor.friendlyName);
      }
      throw error;
    });
  return id;
}

function nameConflict(name: string) {
  return authError(
    'mfa_factor_name_conflict',
    `A factor with the friendly name ${JSON.stringify(name)} for this user already exists`,
  );
}

/** Deletes a factor. Sessions that were raised with it return to aal1. */
export async function deleteFactor(tx: Queryable, factor: FactorRow): Promise<void> {
  await tx.query(
    `with lowered as (
      update auth.sessions set aal = 'aal1', factor_id = null, updated_at = now()
      where user_id = $2 and factor_id = $1 returning id
    ), claims as (
      delete from auth.mfa_amr_claims where session_id in (select id from lowered) and authentication_method = $3
    )
    delete from auth.mfa_factors where id = $1`,
    [factor.id, factor.user_id, AMR_NAMES[factor.factor_type]],
  );
}

/** Returns whether an account has another verified factor, not counting recovery codes. */
export async function hasOtherFactor(database: Queryable, userId: string, exceptId?: string): Promise<boolean> {
  const { rowCount } = await database.query(
    `select from auth.mfa_factors where user_id = $1 and id is distinct from $2 and status = 'verified'
       and factor_type <> 'recovery_code'`,
    [userId, exceptId],
  );
  return rowCount > 0;
}
