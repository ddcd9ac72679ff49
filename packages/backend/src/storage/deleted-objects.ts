/** Trash of the media library: backend.deleted_objects, see bootstrap/021_kept_files.sql. */
import type { Storage } from './storage.ts';
import { removeBytes } from './upload.ts';

const BATCH_SIZE = 500;

/** Deletes the bytes of deleted rows, except for files in the trash. */
export async function removeUnnamedBytes(storage: Storage, rows: readonly { version: string }[]): Promise<void> {
  const result = await storage.database.query<{ version: string }>(
    'select version from backend.unnamed_bytes where version = any($1::text[])',
    [rows.map(({ version }) => version)],
  );
  if (result.rows.length === 0) return;
  await removeBytes(
    storage,
    result.rows.map(({ version }) => version),
  );
}

/** Deletes rows permanently, without the trash. */
export async function deletePermanently(storage: Storage, rows: readonly { version: string }[]): Promise<void> {
  await storage.database.query(
    'update backend.deleted_objects set purge_at = clock_timestamp() where version = any($1::text[])',
    [rows.map(({ version }) => version)],
  );
  await removeUnnamedBytes(storage, rows);
  await purgeDeletedObjects(storage);
}

/** Deletes expired files from the trash. Concurrent processes share the work. */
export async function purgeDeletedObjects(storage: Storage): Promise<void> {
  let count = BATCH_SIZE;
  while (count === BATCH_SIZE) {
    const result = await storage.database.query<{ version: string }>(
      `delete from backend.deleted_objects where id in (
         select id from backend.deleted_objects where purge_at <= clock_timestamp() limit $1 for update skip locked
       ) returning version`,
      [BATCH_SIZE],
    );
    count = result.rowCount;
    if (count > 0) await removeUnnamedBytes(storage, result.rows);
  }
  await removeOrphanedOriginals(storage);
}

/** Deletes originals without a picture. The original of a picture in the trash is kept until the picture is purged. */
async function removeOrphanedOriginals(storage: Storage): Promise<void> {
  const { mediaLibrary } = storage.options;
  if (!mediaLibrary) return;
  const { rows } = await storage.database.query<{ version: string }>(
    `delete from storage.objects as original where bucket_id = $1
       and not exists (select from storage.objects where id::text = original.name and bucket_id = $2)
       and not exists (select from backend.deleted_objects where id::text = original.name)
     returning version`,
    [mediaLibrary.originals, mediaLibrary.bucket],
  );
  await removeUnnamedBytes(storage, rows);
}
