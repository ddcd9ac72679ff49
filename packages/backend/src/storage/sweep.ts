import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Job } from '../jobs/jobs.ts';
import { purgeDeletedObjects } from './deleted-objects.ts';
import { deleteExpiredUploads } from './resumable/upload-rows.ts';
import type { Storage } from './storage.ts';
import { removeBytes } from './upload.ts';

const BATCH_SIZE = 500;
const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

/**
 * Creates the job that deletes the bytes of deleted objects immediately, and leftovers of interrupted uploads every
 * hour. A failed run is logged and repeated in the next hour.
 * @param isAlone true if no other process uploads to this store, as with the built-in database
 */
export function sweepJob(storage: Storage, isAlone: boolean): Job {
  const startedAt = new Date();
  let sweptAt: number | null = null;

  async function sweep(): Promise<void> {
    const isDue = sweptAt === null || Date.now() - sweptAt >= HOUR_MS;
    if (isDue) await sweepExpiredUploads(storage);
    await purgeDeletedObjects(storage);
    if (!isDue) return;
    // Uploads from before the start of this process have ended. Newer ones may be running.
    const before = isAlone && sweptAt === null ? startedAt : new Date(Date.now() - DAY_MS);
    // Also deletes bytes that were kept for a running backup.
    await sweepLeftovers(storage, before);
    sweptAt = Date.now();
  }

  return {
    name: 'sweep storage',
    channels: ['media_deleted_for_ever'],
    async run() {
      await sweep().catch((error: unknown) => {
        storage.log.warn({ err: error }, 'Data of aborted uploads and deleted files could not be removed');
      });
      return HOUR_MS;
    },
  };
}

/** Deletes expired resumable uploads. */
export async function sweepExpiredUploads(storage: Storage): Promise<void> {
  const pieces = await deleteExpiredUploads(storage.database);
  if (pieces.length > 0) await removeBytes(storage, pieces);
}

/**
 * Deletes files of interrupted uploads, or of a crash after storing the bytes and before writing the row.
 * @param before only older leftovers are deleted, because newer files may belong to a running upload
 */
export async function sweepLeftovers(storage: Storage, before: Date): Promise<void> {
  await sweepIncoming(storage.stagingFolder, before);
  let count = BATCH_SIZE;
  while (count === BATCH_SIZE) {
    const result = await storage.database.query<{ version: string }>(
      'select version from backend.unnamed_bytes where created_at < $1 limit $2',
      [before, BATCH_SIZE],
    );
    count = result.rowCount;
    const isRemoved = await removeBytes(
      storage,
      result.rows.map(({ version }) => version),
    );
    if (!isRemoved) return;
  }
}

async function sweepIncoming(folder: string, before: Date): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name);
    const file = await stat(path).catch(() => undefined);
    if (file && file.mtime < before) await rm(path, { force: true });
  }
}
