/** Opens the configured deployment (database and files) for export or import. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import type { Database } from '../database/database.ts';
import { FolderLockedError } from '../database/folder-lock.ts';
import { OperatorError } from '../database/operator-error.ts';
import { openPostgresDatabase } from '../database/postgres-database.ts';
import { openDatabase, openExistingDatabase } from '../open-database.ts';
import { openByteStore } from '../storage/bytes/open-byte-store.ts';
import { type FileStore, ownFiles, projectFiles } from './files.ts';

export interface Deployment {
  database: Database;
  files: FileStore;
  close(): Promise<void>;
}

/** Opens the configured deployment, which must already exist. */
export async function openDeployment(config: Config): Promise<Deployment> {
  if (config.SUPABASE_URL) return openProject(config);
  const { database, close } = await openExistingDatabase(config);
  const files = ownFiles(openByteStore(config), config.DATA_DIR);
  return { database, files, close };
}

/**
 * Opens or creates the configured deployment. After a failed import, `close(false)` deletes the folder of the built-in
 * database if the database has no schema yet.
 */
export async function openTarget(
  config: Config,
): Promise<Omit<Deployment, 'close'> & { close(isKept: boolean): Promise<void> }> {
  if (config.SUPABASE_URL) return openProject(config);
  const files = ownFiles(openByteStore(config), config.DATA_DIR);
  try {
    const { database, close } = await openDatabase(config);
    return {
      database,
      files,
      async close(isKept) {
        const { rows } = await database.query<{ is_new: boolean }>(
          `select to_regclass('backend.bootstrap') is null as is_new`,
        );
        await close();
        const isNewFolder = !config.DATABASE_URL && rows[0]?.is_new === true;
        if (isNewFolder && !isKept) await rm(join(config.DATA_DIR, 'postgres'), { recursive: true, force: true });
      },
    };
  } catch (error) {
    if (!(error instanceof FolderLockedError)) throw error;
    // The site is running on this folder, so connect to its database.
    return { ...(await openExistingDatabase(config)), files };
  }
}

/** Opens a Supabase project with its files. Exporting only its database would lose them. */
function openProject({
  SUPABASE_URL = '',
  SUPABASE_SECRET_KEY,
  DATABASE_URL,
  DATABASE_DIRECT_URL,
}: Config): Deployment {
  if (!SUPABASE_SECRET_KEY || !DATABASE_URL) {
    throw new OperatorError(
      'To move a Supabase project, set SUPABASE_URL, SUPABASE_SECRET_KEY for its files, and DATABASE_URL to its connection string.',
    );
  }
  const database = openPostgresDatabase(DATABASE_DIRECT_URL ?? DATABASE_URL, 2);
  return { database, files: projectFiles(SUPABASE_URL, SUPABASE_SECRET_KEY), close: () => database.close() };
}
