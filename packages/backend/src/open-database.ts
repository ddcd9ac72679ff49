/** Opens the configured database: the owner's server, or the built-in one with its data in DATA_DIR. */
import { access, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from './config.ts';
import { type Database, isUnreachable } from './database/database.ts';
import { DiskGuard } from './database/disk-guard.ts';
import { DiskSpace } from './database/disk-space.ts';
import { FolderLockedError, lockFolder } from './database/folder-lock.ts';
import { OperatorError } from './database/operator-error.ts';
import { openPostgresDatabase } from './database/postgres-database.ts';
import { startBuiltInServer } from './postgres/built-in-server.ts';
import { checkFolder } from './postgres/data-folder.ts';
import { serverUrl } from './postgres/server-address.ts';

/** Connections of a command-line tool. */
const COMMAND_POOL_SIZE = 2;

export interface OpenDatabase {
  database: Database;
  /** Calls `report` with a message when the built-in server or its disk has a problem, and when it works again. */
  onStatusChange?(report: (message: string) => void): void;
  /** Closes the database, and stops the built-in server. */
  close(): Promise<void>;
}

/**
 * Opens the database for a server process. The built-in server is started, and its data folder is created if it is
 * missing.
 * @throws FolderLockedError, OperatorError, DatabaseFolderError
 */
export async function openDatabase(config: Config): Promise<OpenDatabase> {
  if (config.DATABASE_URL) return openOwnServer(config.DATABASE_URL, config);
  const { DATA_DIR: dataFolder, DATABASE_POOL_SIZE: poolSize } = config;
  const folder = databaseFolder(config);
  // Check first, so that an unusable folder is not changed and a missing one is not created.
  await checkFolder(folder);
  await mkdir(dataFolder, { recursive: true, mode: 0o700 });
  const releaseLock = await lockFolder(dataFolder);
  try {
    const server = await startBuiltInServer({
      dataFolder,
      folder,
      poolSize,
      isArchived: config.BACKUP_URL !== undefined,
    });
    const diskSpace = new DiskSpace(dataFolder);
    const database = new DiskGuard(openPostgresDatabase(server.url, poolSize), diskSpace);
    return {
      database,
      onStatusChange(report) {
        server.onStatusChange(report);
        diskSpace.onChange(report);
      },
      async close() {
        await database.close();
        await server.stop();
        await releaseLock();
      },
    };
  } catch (error) {
    await releaseLock();
    throw error;
  }
}

async function openOwnServer(url: string, config: Config): Promise<OpenDatabase> {
  const database = openPostgresDatabase(url, config.DATABASE_POOL_SIZE, config.DATABASE_DIRECT_URL);
  try {
    await database.requireSessions();
    return withoutServer(database);
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Wraps a database whose server is managed elsewhere. */
export function withoutServer(database: Database): OpenDatabase {
  return { database, close: () => database.close() };
}

/**
 * Opens an already migrated database for a command. Connects to the server that is running on DATA_DIR, or starts the
 * built-in one.
 * @returns the database and its display name: its folder, or its address without user and password
 * @throws OperatorError
 */
export async function openExistingDatabase(
  config: Config,
): Promise<{ database: Database; name: string; close(): Promise<void> }> {
  const { database, name, close } = await findDatabase(config);
  try {
    const { rows } = await database.query<{ is_set_up: boolean }>(
      `select to_regclass('supabase_migrations.schema_migrations') is not null as is_set_up`,
    );
    if (!rows[0]?.is_set_up) {
      throw new OperatorError(`${name} does not contain a site yet. Start the server with it once.`);
    }
    return { database, name, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function findDatabase(config: Config) {
  if (config.DATABASE_URL) {
    const { host, pathname } = new URL(config.DATABASE_URL);
    const database = openPostgresDatabase(config.DATABASE_URL, COMMAND_POOL_SIZE, config.DATABASE_DIRECT_URL);
    return { database, name: `The database ${host}${pathname}`, close: () => database.close() };
  }
  const { DATA_DIR } = config;
  const name = `The database in ${DATA_DIR}`;
  const folder = databaseFolder(config);
  if (!(await exists(folder))) {
    throw new OperatorError(
      `No database found in ${DATA_DIR}. Set DATA_DIR to the server's folder, or start the server once.`,
    );
  }
  try {
    return { ...(await openDatabase({ ...config, DATABASE_POOL_SIZE: COMMAND_POOL_SIZE })), name };
  } catch (error) {
    if (!(error instanceof FolderLockedError)) throw error;
  }
  const database = openPostgresDatabase(await serverUrl(folder), COMMAND_POOL_SIZE);
  try {
    await database.query('select 1');
  } catch (error) {
    await database.close();
    if (!isUnreachable(error)) throw error;
    throw new OperatorError(`${name} is in use by a starting server or another command. Try again.`);
  }
  const close = () => database.close();
  return { database: new DiskGuard(database, new DiskSpace(DATA_DIR)), name, close };
}

/** Folder with the built-in server's data and socket. */
function databaseFolder({ DATA_DIR }: Config): string {
  return join(DATA_DIR, 'postgres');
}

/** @throws NodeJS.ErrnoException EACCES if this user has no access */
function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return false;
      throw error;
    },
  );
}
