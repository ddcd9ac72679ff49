/** Opens a copy of a running embedded database, so that whoever reads all of it holds up nobody. */
import { copyFile, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Database } from '../database/database.ts';
import { errorCode } from '../database/errors.ts';
import { openPgliteDatabase } from '../database/pglite-database.ts';
import { copyWhileRunning, LOG_FOLDERS, listToCopy } from './copy-folder.ts';
import { LogGoneError, readLog, writeLog } from './wal.ts';

const PREFIX = 'snapshot-';

/** Milliseconds after which a copy that is still there was left by a command that died. */
const LEFT_AFTER_MS = 24 * 60 * 60 * 1000;

const MAX_ATTEMPTS = 5;

export interface Snapshot {
  database: Database;
  /** Closes and removes it. */
  close(): Promise<void>;
}

/**
 * Copies the database of a server into a folder beside it, and opens that. What is committed later is not in it.
 * @param dataFolder DATA_DIR of the server
 */
export async function openSnapshot(database: Database, dataFolder: string): Promise<Snapshot> {
  await removeLeft(dataFolder);
  const folder = await copyUntilWhole(database, dataFolder);
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const copy = await openPgliteDatabase({ folder });
    return {
      database: copy,
      async close() {
        await copy.close();
        await remove();
      },
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** A checkpoint, such as another copy begins with, may remove the log of this one before it is read. */
async function copyUntilWhole(database: Database, dataFolder: string): Promise<string> {
  for (let attempt = 1; ; attempt++) {
    const folder = await mkdtemp(join(dataFolder, PREFIX));
    try {
      await copyDatabase(database, join(dataFolder, 'postgres'), folder);
      return folder;
    } catch (error) {
      await rm(folder, { recursive: true, force: true });
      if (!(error instanceof LogGoneError) || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}

async function copyDatabase(database: Database, source: string, folder: string): Promise<void> {
  const base = await copyWhileRunning(database, async () => {
    for (const { name, path, isFolder } of await listToCopy(source)) {
      const target = join(folder, name);
      await mkdir(isFolder ? target : dirname(target), { recursive: true, mode: 0o700 });
      if (!isFolder) await copyFile(path, target).catch(unlessGone);
    }
  });
  for (const name of LOG_FOLDERS) await mkdir(join(folder, name), { recursive: true, mode: 0o700 });
  await writeFile(join(folder, 'backup_label'), base.label, { mode: 0o600 });
  await writeLog(join(folder, 'pg_wal'), base.from, await readLog(join(source, 'pg_wal'), base.from, base.whole));
}

/** Postgres has removed the file meanwhile, and its log knows that. */
function unlessGone(error: unknown): void {
  if (errorCode(error) !== 'ENOENT') throw error;
}

async function removeLeft(dataFolder: string): Promise<void> {
  for (const name of await readdir(dataFolder)) {
    if (!name.startsWith(PREFIX)) continue;
    const path = join(dataFolder, name);
    const { mtimeMs } = await stat(path);
    if (Date.now() - mtimeMs > LEFT_AFTER_MS) await rm(path, { recursive: true, force: true });
  }
}
