import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Storage } from './storage.ts';

const BATCH = 500;

/**
 * Removes what interrupted uploads, or a crash between bytes and row, left behind.
 * @param before only what was written before; later files may belong to an upload that is still running
 */
export async function sweepOrphans({ database, bytes, incoming }: Storage, before: Date): Promise<void> {
  await sweepIncoming(incoming, before);
  let batch: string[] = [];
  const flush = async () => {
    const known = await database.query<{ version: string }>(
      'select version from storage.objects where version = any($1::text[])',
      [batch],
    );
    const named = new Set(known.rows.map(({ version }) => version));
    const orphans = batch.filter((key) => !named.has(key));
    batch = [];
    await bytes.remove(orphans);
  };
  for await (const { key, writtenAt } of bytes.list()) {
    if (writtenAt < before) batch.push(key);
    if (batch.length === BATCH) await flush();
  }
  if (batch.length > 0) await flush();
}

async function sweepIncoming(folder: string, before: Date): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name);
    const found = await stat(path).catch(() => undefined);
    if (found && found.mtime < before) await rm(path, { force: true });
  }
}
