/** Rows of backend.resumable_uploads and backend.resumable_pieces. */
import type { Database, Transaction } from '../../database/database.ts';
import { ApiError } from '../../http/api-error.ts';
import { isUuid } from '../../http/uuid.ts';
import type { Uploader } from './uploader.ts';

/** Time to complete an upload in milliseconds, as in Supabase. */
export const EXPIRY_MS = 24 * 60 * 60 * 1000;

/** Maximum number and maximum declared bytes of unfinished uploads per account. */
export const MAX_UNFINISHED = 20;
export const MAX_UNFINISHED_BYTES = 500e6;

export interface UploadRow {
  id: string;
  bucketId: string;
  name: string;
  upsert: boolean;
  metadata: Record<string, string | null>;
  /** Declared bytes. */
  size: number;
  received: number;
  pieces: number;
  createdAt: Date;
}

type NewUpload = Pick<UploadRow, 'id' | 'bucketId' | 'name' | 'metadata' | 'size'>;

/**
 * Records an upload. If the uploader has too many unfinished uploads, those without activity in the last ten minutes
 * are deleted.
 * @returns the pieces of the deleted uploads
 * @throws ApiError SlowDown
 */
export async function createUpload(database: Database, uploader: Uploader, upload: NewUpload): Promise<string[]> {
  return database.transaction(async (tx) => {
    const unusedPieces = await requireUploadCapacity(tx, uploader.countedAs, upload.size);
    await tx.query(
      `insert into backend.resumable_uploads
         (id, bucket_id, name, owner_id, credentials, counted_as, upsert, metadata, size, expires_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, clock_timestamp() + make_interval(secs => $10))`,
      [
        upload.id,
        upload.bucketId,
        upload.name,
        uploader.ownerId,
        uploader.credentials,
        uploader.countedAs,
        uploader.upsert,
        upload.metadata,
        upload.size,
        EXPIRY_MS / 1000,
      ],
    );
    return unusedPieces;
  });
}

async function requireUploadCapacity(tx: Transaction, uploader: string | null, size: number): Promise<string[]> {
  if (uploader === null) return [];
  // Without a lock, two concurrent uploads could exceed the limit together.
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`resumable uploads of ${uploader}`]);
  if (await isWithinLimits(tx, uploader, size)) return [];
  const unusedPieces = await deleteUploads(
    tx,
    `counted_as = $1 and received < size and touched_at < clock_timestamp() - interval '10 minutes'`,
    [uploader],
  );
  if (await isWithinLimits(tx, uploader, size)) return unusedPieces;
  throw new ApiError(
    429,
    'SlowDown',
    `You have too many unfinished uploads: at most ${MAX_UNFINISHED}, of ${MAX_UNFINISHED_BYTES / 1e6} MB together. Finish or cancel one of them first.`,
  );
}

async function isWithinLimits(tx: Transaction, uploader: string, size: number): Promise<boolean> {
  const { rows } = await tx.query<{ has_room: boolean }>(
    `select count(*) < $2 and coalesce(sum(size), 0) + $3::bigint <= $4 as has_room from backend.resumable_uploads
     where counted_as = $1 and received < size and expires_at > clock_timestamp()`,
    [uploader, MAX_UNFINISHED, size, MAX_UNFINISHED_BYTES],
  );
  return rows[0]?.has_room === true;
}

/** Returns the upload if the uploader started it. */
export async function findUpload(database: Database, uploader: Uploader, id: string): Promise<UploadRow | undefined> {
  if (!isUuid(id)) return undefined;
  const { rows } = await database.query<UploadRow>(
    `select id, bucket_id as "bucketId", name, upsert, metadata, size::float8 as size, received::float8 as received,
       pieces, created_at as "createdAt"
     from backend.resumable_uploads
     where id = $1 and owner_id is not distinct from $2 and credentials = $3`,
    [id, uploader.ownerId, uploader.credentials],
  );
  return rows[0];
}

/** Appends a piece. @returns false if another process has already continued the upload */
export async function appendPiece(
  database: Database,
  { id, received }: Pick<UploadRow, 'id' | 'received'>,
  { version, size }: { version: string; size: number },
): Promise<boolean> {
  const { rowCount } = await database.query(
    `with extended as (
       update backend.resumable_uploads
       set received = received + $3::bigint, pieces = pieces + 1, touched_at = clock_timestamp()
       where id = $1 and received = $2 and received + $3::bigint < size returning id
     )
     insert into backend.resumable_pieces (upload_id, start, version) select id, $2::bigint, $4 from extended`,
    [id, received, size, version],
  );
  return rowCount === 1;
}

/** Lists the stored pieces, in order. */
export async function listPieces(database: Database, id: string): Promise<string[]> {
  const { rows } = await database.query<{ version: string }>(
    'select version from backend.resumable_pieces where upload_id = $1 order by start',
    [id],
  );
  return rows.map(({ version }) => version);
}

/**
 * Marks the upload as complete, in the transaction that writes the object. The row is kept for an hour, for a client
 * that missed the response and asks for the offset.
 * @returns false if another request has already continued or completed the upload
 */
export async function finishUpload(tx: Transaction, { id, received }: UploadRow): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update backend.resumable_uploads
     set received = size, touched_at = clock_timestamp(), expires_at = clock_timestamp() + interval '1 hour'
     where id = $1 and received = $2 and received < size`,
    [id, received],
  );
  await tx.query('delete from backend.resumable_pieces where upload_id = $1', [id]);
  return rowCount === 1;
}

/** Deletes an incomplete upload. @returns its pieces, whose bytes are no longer used */
export async function deleteUpload(database: Database, id: string): Promise<string[]> {
  return deleteUploads(database, 'id = $1 and received < size', [id]);
}

/** Deletes expired uploads. @returns their pieces, whose bytes are no longer used */
export async function deleteExpiredUploads(database: Database): Promise<string[]> {
  return deleteUploads(database, 'expires_at < clock_timestamp()', []);
}

async function deleteUploads(
  database: Pick<Database, 'query'>,
  condition: string,
  values: readonly string[],
): Promise<string[]> {
  const { rows } = await database.query<{ version: string }>(
    `with deleted as (delete from backend.resumable_uploads where ${condition} returning id)
     select version from backend.resumable_pieces where upload_id in (select id from deleted)`,
    values,
  );
  return rows.map(({ version }) => version);
}
