/** A temporary database for a command, on its own built-in server. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from '../database/database.ts';
import { openPostgresDatabase } from '../database/postgres-database.ts';
import { startBuiltInServer } from './built-in-server.ts';

const POOL_SIZE = 10;

/**
 * Opens an empty database in a temporary folder. Closing it deletes the folder.
 * @throws OperatorError, DatabaseFolderError
 */
export async function openTemporaryDatabase(): Promise<Database> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'signalfjord-'));
  const remove = () => rm(dataFolder, { recursive: true, force: true });
  try {
    const folder = join(dataFolder, 'postgres');
    const server = await startBuiltInServer({ dataFolder, folder, poolSize: POOL_SIZE, isDurable: false });
    const database = openPostgresDatabase(server.url, POOL_SIZE);
    const close = database.close.bind(database);
    database.close = async () => {
      await close();
      await server.stop();
      await remove();
    };
    return database;
  } catch (error) {
    await remove();
    throw error;
  }
}
