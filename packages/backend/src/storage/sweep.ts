import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { dropExpiredUploads } from './resumable/upload-rows.ts';
import type { Storage } from './storage.ts';
import { removeBytes } from './upload.ts';

const BATCH = 500;

/** Removes unfinished resumable uploads whose time is over. */
export async function sweepExpiredUploads(storage: Storage): Promise<void> {
  const pieces = await dropExpiredUploads(storage.database);
  if (pieces.length > 0) await removeBytes(storage, pieces);
}

/**
 * Removes what interrupted uploads, or a crash between bytes and row, left behind.
 * @param before only what is older; the rest may belong to an upload that is still running
 */
export async function sweepLeftovers(storage: Storage, before: Date): Promise<void> {
  await sweepIncoming(storage.incoming, before);
  let found = BATCH;
  while (found === BATCH) {
    const unnamed = await storage.database.query<{ version: string }>(
      'select version from backend.unnamed_bytes where created_at < $1 limit $2',
      [before, BATCH],
    );
    found = unnamed.rowCount;
    const removed = await removeBytes(
      storage,
      unnamed.rows.map(({ version }) => version),
    );
    if (!removed) return;
  }
}

async function sweepIncoming(folder: string, before: Date): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name);
    const found = await stat(path).catch(() => undefined);
    if (found && found.mtime < before) await rm(path, { force: true });
  }
}
