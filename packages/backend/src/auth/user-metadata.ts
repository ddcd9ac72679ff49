/**
 * Limits user_metadata. Every access token, and so every request, contains it. If it were too large, the server would
 * reject every request because of its header size, including a sign-out.
 */
import type { Queryable } from '../database/database.ts';
import { authError } from './error-codes.ts';
import type { UserRow } from './users.ts';

type Metadata = Record<string, unknown>;

/** Largest metadata in bytes of JSON. */
const MAX_BYTES = 8 * 1024;

/** Reserve for fields that we add, such as the address and whether it is verified. */
const RESERVED_BYTES = 1024;

/** @throws ApiError 422 validation_failed for more than 8 kB of JSON */
export function requireSmallMetadata(data: Metadata | null | undefined): void {
  if (data && measureBytes(data) > MAX_BYTES) throw tooLarge();
}

/**
 * Rejects a change that makes metadata too large. Metadata that is already too large can be reduced in steps.
 * @throws ApiError 422 validation_failed
 */
export function requireMetadataFits(before: UserRow, after: UserRow): void {
  const bytes = measureBytes(after.raw_user_meta_data ?? {});
  if (bytes > MAX_BYTES + RESERVED_BYTES && bytes >= measureBytes(before.raw_user_meta_data ?? {})) throw tooLarge();
}

/** Returns as many of a provider's claims as fit into the limit with the current metadata, smallest first. */
export function claimsThatFit(claims: Metadata, current: Metadata = {}): Metadata {
  const acceptedClaims: Metadata = {};
  const bySize = Object.entries(claims).sort(([, a], [, b]) => measureBytes(a) - measureBytes(b));
  for (const [key, value] of bySize) {
    if (measureBytes({ ...current, ...acceptedClaims, [key]: value }) <= MAX_BYTES) acceptedClaims[key] = value;
  }
  return acceptedClaims;
}

/** Adds a provider's claims to the account, as many as fit. */
export async function addClaims(tx: Queryable, userId: string, claims: Metadata): Promise<void> {
  const { rows } = await tx.query<{ present: Metadata | null }>(
    'select raw_user_meta_data as present from auth.users where id = $1 for update',
    [userId],
  );
  await tx.query(
    `update auth.users set raw_user_meta_data = coalesce(raw_user_meta_data, '{}') || $2::jsonb, updated_at = now()
     where id = $1`,
    [userId, claimsThatFit(claims, rows[0]?.present ?? {})],
  );
}

/**
 * Returns the metadata for the token, or an empty object if it is too large. Older accounts may have such metadata and
 * must still be able to sign in.
 */
export function tokenMetadata({ raw_user_meta_data: data }: UserRow): Metadata {
  return data && measureBytes(data) <= MAX_BYTES + RESERVED_BYTES ? data : {};
}

function measureBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? '');
}

function tooLarge(): Error {
  return authError('validation_failed', 'user_metadata must not exceed 8 kB of JSON', 422);
}
