import { mkdtemp, rm } from 'node:fs/promises';
import { inject } from 'vitest';
import type { Database } from '../../backend/database/database.ts';
import { DiskRoom, type DiskRoomOptions } from '../../backend/database/disk-room.ts';
import { openPgliteDatabase, type PgliteDatabase } from '../../backend/database/pglite-database.ts';
import { openPostgresDatabase } from '../../backend/database/postgres-database.ts';
import { copyFolder } from './copy-folder.ts';
import { refuseNestedWork } from './one-connection.ts';

/**
 * Opens a fresh copy of the migrated database, on PGlite or on the server that TEST_DATABASE=postgres started. PGlite
 * keeps it in `folder`, or in a folder that goes when it is closed; `disk` says what is free there.
 */
export async function openTestDatabase(folder?: string, disk?: DiskRoomOptions): Promise<Database> {
  const template = inject('databaseTemplate');
  // By its files, which costs half of what Postgres's own way does: that writes each block to the log.
  if (template.startsWith('postgres:'))
    return createDatabase(template, 'template template_signalfjord strategy file_copy');
  return folder === undefined ? openPassingCopy(template) : openCopy(template, folder, disk);
}

/** Opens a copy whose folder goes when it is closed. */
async function openPassingCopy(template: string): Promise<PgliteDatabase> {
  const passing = await mkdtemp(`${template}-`);
  const database = await openCopy(template, passing);
  const close = database.close.bind(database);
  database.close = async () => {
    await close();
    await rm(passing, { recursive: true, force: true });
  };
  return database;
}

/** Half the work of loading a dump. */
async function openCopy(template: string, folder: string, disk?: DiskRoomOptions): Promise<PgliteDatabase> {
  await copyFolder(template, folder);
  return openPgliteDatabase({ folder, room: new DiskRoom(folder, disk) });
}

/** Opens a database without anything in it, on PGlite or on the server of the tests. Making one takes PGlite 2 s. */
export async function openEmptyDatabase(): Promise<Database> {
  const template = inject('databaseTemplate');
  return template.startsWith('postgres:') ? createDatabase(template, '') : openEmptyPglite();
}

/** Opens a database of PGlite without anything in it, also for tests that need what only PGlite has. */
export function openEmptyPglite(): Promise<PgliteDatabase> {
  return openPassingCopy(inject('emptyTemplate'));
}

async function createDatabase(template: string, from: string): Promise<Database> {
  const name = `test_${crypto.randomUUID().replaceAll('-', '')}`;
  const admin = openPostgresDatabase(template.replace(/\w+$/, 'postgres'), 1);
  await admin.script(`create database ${name} ${from}`);
  await admin.close();
  return refuseNestedWork(openPostgresDatabase(template.replace(/\w+$/, name)));
}
