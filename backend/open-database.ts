/** Opens the database of the settings: the owner's server, or the embedded one in DATA_DIR. */
import { access, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Config } from './config.ts';
import type { Database } from './database/database.ts';
import { ballastIn, DiskRoom } from './database/disk-room.ts';
import { FolderLockedError, lockFolder } from './database/folder-lock.ts';
import { openLocally, serveLocally } from './database/local-socket.ts';
import { openPgliteDatabase, type PgliteDatabase } from './database/pglite-database.ts';
import { openPostgresDatabase } from './database/postgres-database.ts';
import { Refusal } from './database/refusal.ts';
import { keepVacuumed } from './database/vacuum.ts';
import { DatabaseFolderError, makePrivateFolder, requireWholeFolder } from './database-folder.ts';

/**
 * Log that waits for the place of BACKUP_URL while that is away, in megabytes. Beyond it a new copy of the folder is made,
 * and what came between cannot be brought back.
 */
const KEPT_LOG_MB = 512;

export interface OpenDatabase {
  database: Database;
  /** On the disk of the embedded database. */
  room?: DiskRoom;
  /** Lets commands on this machine use the database as well (database/local-socket.ts). For once it is up to date. */
  serveCommands(): Promise<void>;
  /** Begins to vacuum the embedded database; a server does so by itself. @returns the way to stop */
  keepVacuumed?(log: Logger): () => Promise<void>;
  /** Closes the database, and gives its folder back. */
  close(): Promise<void>;
}

/**
 * Opens the database for a server: makes the folder of the embedded one where there is none, and takes its lock.
 * @throws FolderLockedError, DatabaseFolderError
 */
export async function openDatabase(config: Config): Promise<OpenDatabase> {
  return (await beginToOpen(config)).opened;
}

/**
 * Opens the database as openDatabase does, but resolves when only the long part is left: the embedded database then
 * opens in a thread of its own, which needs nothing of this one.
 */
export async function beginToOpen(config: Config): Promise<{ opened: Promise<OpenDatabase> }> {
  if (config.DATABASE_URL) return { opened: openServer(config.DATABASE_URL, config).then(notServed) };
  await mkdir(config.DATA_DIR, { recursive: true, mode: 0o700 });
  const folder = join(config.DATA_DIR, 'postgres');
  await makePrivateFolder(folder);
  const release = await lockFolder(config.DATA_DIR);
  const fail = async (cause: unknown): Promise<never> => {
    await release();
    throw new DatabaseFolderError(folder, { cause });
  };
  await requireWholeFolder(folder).catch(fail);
  const room = new DiskRoom(folder, { ballast: ballastIn(config.DATA_DIR) });
  const opening = openPgliteDatabase({ folder, room, keptLogMb: config.BACKUP_URL ? KEPT_LOG_MB : 0 });
  return { opened: opening.then((database) => ({ ...servedTo(config, database, release), room }), fail) };
}

/** Serves the embedded database with its socket for commands. @param release gives its folder back */
function servedTo(config: Config, database: PgliteDatabase, release: () => Promise<void>): OpenDatabase {
  let stopServing = async () => {};
  return {
    database,
    async serveCommands() {
      const socketFolder = socketFolderOf(config);
      await makePrivateFolder(socketFolder);
      stopServing = await serveLocally(database, socketFolder);
    },
    keepVacuumed: (log) => keepVacuumed(database, log),
    async close() {
      await stopServing();
      await database.close();
      await release();
    },
  };
}

async function openServer(url: string, config: Config): Promise<Database> {
  const database = openPostgresDatabase(url, config.DATABASE_POOL_SIZE, config.DATABASE_DIRECT_URL);
  try {
    await database.requireSessions();
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Wraps a database that has nothing behind it but its connections. */
export function notServed(database: Database): OpenDatabase {
  return { database, serveCommands: async () => undefined, close: () => database.close() };
}

/**
 * Opens the database for a command: one that a server has brought up to date already, through that server when it runs
 * on the same folder.
 * @returns the database, its name for people (its folder, or its address without user and password), and whether it is
 * the embedded one that a server holds
 * @throws Refusal
 */
export async function openExistingDatabase(
  config: Config,
): Promise<{ database: Database; name: string; isServed: boolean; close(): Promise<void> }> {
  const { database, name, isServed, close } = await findDatabase(config);
  try {
    const { rows } = await database.query<{ is_set_up: boolean }>(
      `select to_regclass('supabase_migrations.schema_migrations') is not null as is_set_up`,
    );
    if (!rows[0]?.is_set_up) {
      throw new Refusal(`${name} holds nothing of the site yet: start the server on it once.`);
    }
    return { database, name, isServed, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function findDatabase(config: Config) {
  if (config.DATABASE_URL) {
    const { host, pathname } = new URL(config.DATABASE_URL);
    const database = openPostgresDatabase(config.DATABASE_URL, 2, config.DATABASE_DIRECT_URL);
    return { database, name: `The database ${host}${pathname}`, isServed: false, close: () => database.close() };
  }
  const { DATA_DIR } = config;
  const name = `The database in ${DATA_DIR}`;
  if (!(await exists(join(DATA_DIR, 'postgres', 'PG_VERSION')))) {
    throw new Refusal(
      `There is no database in ${DATA_DIR}: set DATA_DIR to the folder of the server, or start the server on it once.`,
    );
  }
  try {
    return { ...(await openDatabase(config)), name, isServed: false };
  } catch (error) {
    if (!(error instanceof FolderLockedError)) throw error;
  }
  const database = await openLocally(socketFolderOf(config));
  if (!database) {
    throw new Refusal(`${name} is in use by a server that is just starting, or by another command: try again.`);
  }
  const served = `${name}, through the server that runs on it`;
  return { database, name: served, isServed: true, close: () => database.close() };
}

function socketFolderOf({ DATA_DIR }: Config): string {
  return join(DATA_DIR, 'local');
}

/** @throws NodeJS.ErrnoException EACCES when this user may not know */
function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return false;
      throw error;
    },
  );
}
