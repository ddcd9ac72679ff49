import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import type { Database } from '../../src/database/database.ts';
import { migrate } from '../../src/database/migrate.ts';
import { createMissingObjects } from '../../src/database/own-objects.ts';
import { openPostgresDatabase } from '../../src/database/postgres-database.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** URL of the database `postgres` on the server of this test run. */
    testServer: string;
  }
}

/** Template database with the objects of the server, but without an application. */
const TEMPLATE = 'template_backend';

/** Opens a fresh database with the objects of the server. */
export function openTestDatabase(): Promise<Database> {
  return openCopy(TEMPLATE);
}

/** Opens an empty database. */
export function openEmptyDatabase(): Promise<Database> {
  return createDatabase('template template0');
}

/** Opens a fresh copy of a template database. */
export function openCopy(template: string): Promise<Database> {
  // Copying files takes half the time of the default strategy, which writes each block to the WAL.
  return createDatabase(`template ${template} strategy file_copy`);
}

/** Creates the template database on a server. Called once, before the tests. */
export async function createTemplate(server: string): Promise<void> {
  const admin = openPostgresDatabase(server, 1);
  await admin.script(`create database ${TEMPLATE} template template0`);
  await admin.close();
  const database = openPostgresDatabase(server.replace('/postgres?', `/${TEMPLATE}?`), 1);
  const noMigrations = await mkdtemp(join(tmpdir(), 'signalfjord-empty-'));
  await migrate(database, noMigrations);
  await createMissingObjects(database);
  await database.close();
  await rm(noMigrations, { recursive: true });
}

async function createDatabase(from: string): Promise<Database> {
  const server = inject('testServer');
  const name = `test_${crypto.randomUUID().replaceAll('-', '')}`;
  const admin = openPostgresDatabase(server, 1);
  await admin.script(`create database ${name} ${from}`);
  await admin.close();
  return openPostgresDatabase(server.replace('/postgres?', `/${name}?`));
}
