/**
 * Rows of storage.objects. They are accessed with the caller's policies. If the file is public or a signature has
 * been verified, they are accessed as the owner of the tables.
 */
import { randomUUID } from 'node:crypto';
import type { Database, QueryResult, SqlValue, Transaction } from '../database/database.ts';
import { isUniqueViolation } from '../database/errors.ts';
import { assumeRole, type RequestIdentity } from '../database/request-role.ts';
import { isUuid } from '../http/uuid.ts';
import { accessDenied, noSuchBucket, noSuchKey } from './storage-error.ts';

export interface BucketRow {
  id: string;
  public: boolean;
  file_size_limit: number | null;
  allowed_mime_types: string[] | null;
}

/** Content of Supabase's metadata column, and the dimensions of pictures. */
export interface ObjectMetadata {
  eTag: string;
  size: number;
  mimetype: string;
  cacheControl: string;
  lastModified: string;
  contentLength: number;
  httpStatusCode: number;
  width?: number;
  height?: number;
  /** Hexadecimal hash of the stored bytes, or of the uploaded file in the media library. */
  sha256?: string;
}

export interface ObjectRow {
  id: string;
  bucket_id: string;
  name: string;
  version: string;
  metadata: ObjectMetadata;
  user_metadata: Record<string, unknown> | null;
  created_at: Date;
  updated_at: Date;
}

export interface NewObject {
  bucketId: string;
  name: string;
  version: string;
  ownerId: string | null;
  metadata: ObjectMetadata | Record<string, never>;
  userMetadata: Record<string, unknown> | null;
}

/** `create` fails if the name exists, `upsert` replaces the object, and `replace` fails if the name does not exist. */
export type WriteMode = 'create' | 'upsert' | 'replace';

export interface Location {
  bucketId: string;
  name: string;
}

const COLUMNS = 'id, bucket_id, name, version, metadata, user_metadata, created_at, updated_at';
const SELECT_OBJECT = `select ${COLUMNS} from storage.objects where bucket_id = $1 and name = $2`;

/** Runs one statement on behalf of a request. */
export async function queryAs<Row>(
  database: Database,
  identity: RequestIdentity,
  text: string,
  values: readonly SqlValue[] = [],
): Promise<QueryResult<Row>> {
  const [, result] = await database.batch<[unknown, Row]>([assumeRole(identity), { text, values }]);
  return result;
}

/** @throws ApiError NoSuchBucket */
export async function findBucket(database: Database, id: string): Promise<BucketRow> {
  const result = await database.query<BucketRow>(
    'select id, public, file_size_limit, allowed_mime_types from storage.buckets where id = $1',
    [id],
  );
  const [bucket] = result.rows;
  if (!bucket) throw noSuchBucket();
  return bucket;
}

/** Reads an object without policies. @throws ApiError NoSuchKey */
export async function findObject(database: Database, { bucketId, name }: Location): Promise<ObjectRow> {
  const [object] = (await database.query<ObjectRow>(SELECT_OBJECT, [bucketId, name])).rows;
  if (!object) throw noSuchKey();
  return object;
}

/** Reads an object with policies. @throws ApiError NoSuchKey if it is missing or access is denied */
export async function findObjectAs(
  database: Database,
  identity: RequestIdentity,
  { bucketId, name }: Location,
): Promise<ObjectRow> {
  const [object] = (await queryAs<ObjectRow>(database, identity, SELECT_OBJECT, [bucketId, name])).rows;
  if (!object) throw noSuchKey();
  return object;
}

/**
 * Writes the row of an upload whose bytes are stored already. `claim` runs first in the same transaction.
 * @returns its id, and the version whose bytes are no longer used
 * @throws ApiError NoSuchKey, AccessDenied; DatabaseError 42501, 23505
 */
export async function writeObject(
  database: Database,
  identity: RequestIdentity,
  object: NewObject,
  mode: WriteMode,
  claim?: (tx: Transaction) => Promise<void>,
): Promise<{ id: string; replacedVersion: string | null }> {
  const attempt = () =>
    database.transaction(async (tx) => {
      await claim?.(tx);
      return write(tx, identity, object, mode);
    });
  return attempt().catch((error: unknown) => {
    // A concurrent upload has inserted the row since the check, so replace it.
    if (mode === 'upsert' && isUniqueViolation(error)) return attempt();
    throw error;
  });
}

/**
 * Checks a write before a byte is received. Throws the errors that the write would throw, and changes nothing. As in
 * Supabase, an upsert needs permission to replace the file even if the name does not exist. Otherwise a signed upsert
 * could replace a file that was stored after signing.
 */
export async function requireMayWrite(
  database: Database,
  identity: RequestIdentity,
  target: { bucketId: string; name: string; ownerId: string | null },
  mode: WriteMode,
): Promise<void> {
  const rollBack = new Error('Roll back the permission check');
  try {
    await database.transaction(async (tx) => {
      const probe = { ...target, version: '', metadata: {}, userMetadata: null };
      await write(tx, identity, probe, mode);
      // Reset the role, because only the owner can lock rows for update. write() sets the identity again.
      if (mode === 'upsert') {
        await tx.query('reset role');
        await write(tx, identity, probe, mode);
      }
      throw rollBack;
    });
  } catch (error) {
    if (error !== rollBack) throw error;
  }
}

async function write(
  tx: Transaction,
  identity: RequestIdentity,
  object: NewObject,
  mode: WriteMode,
): Promise<{ id: string; replacedVersion: string | null }> {
  const { bucketId, name, version, ownerId, metadata, userMetadata } = object;
  const [existing] =
    mode === 'create'
      ? []
      : (
          await tx.query<{ id: string; version: string }>(
            'select id, version from storage.objects where bucket_id = $1 and name = $2 for update',
            [bucketId, name],
          )
        ).rows;
  await tx.run(assumeRole(identity));
  const owner = isUuid(ownerId) ? ownerId : null;
  if (existing) {
    const result = await tx.query(
      `update storage.objects set version = $3, metadata = $4, user_metadata = $5, owner = $6, owner_id = $7
       where bucket_id = $1 and name = $2`,
      [bucketId, name, version, metadata, userMetadata, owner, ownerId],
    );
    if (result.rowCount > 0) return { id: existing.id, replacedVersion: existing.version };
    throw mode === 'replace' ? noSuchKey() : accessDenied('new row violates row-level security policy');
  }
  if (mode === 'replace') throw noSuchKey();
  const id = randomUUID();
  await tx.query(
    `insert into storage.objects (id, bucket_id, name, version, metadata, user_metadata, owner, owner_id)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [id, bucketId, name, version, metadata, userMetadata, owner, ownerId],
  );
  return { id, replacedVersion: null };
}

/** Deletes the rows that the policies allow, and returns them. */
export async function deleteObjects(
  database: Database,
  identity: RequestIdentity,
  bucketId: string,
  names: readonly string[],
): Promise<ObjectRow[]> {
  const result = await queryAs<ObjectRow>(
    database,
    identity,
    `delete from storage.objects where bucket_id = $1 and name = any($2::text[])
     returning ${COLUMNS}, owner, owner_id, last_accessed_at`,
    [bucketId, names],
  );
  return result.rows;
}

/** @throws ApiError NoSuchKey; DatabaseError 42501, 23503, 23505 */
export async function moveObject(
  database: Database,
  identity: RequestIdentity,
  from: Location,
  to: Location,
): Promise<string> {
  const result = await queryAs<{ id: string }>(
    database,
    identity,
    'update storage.objects set bucket_id = $3, name = $4 where bucket_id = $1 and name = $2 returning id',
    [from.bucketId, from.name, to.bucketId, to.name],
  );
  const [row] = result.rows;
  if (!row) throw noSuchKey();
  return row.id;
}
