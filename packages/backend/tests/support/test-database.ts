import { inject } from 'vitest';
import type { Database } from '../../src/database/database.ts';
import { openPostgresDatabase } from '../../src/database/postgres-database.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Address of the database `postgres` on the server of the run. */
    testServer: string;
  }
}

/** Template database with all migrations and without rows. */
export const MIGRATED = 'template_signalfjord';

/** Opens a fresh copy of the migrated database. */
export function openTestDatabase(): Promise<Database> {
  // Copying files costs half of the default strategy, which writes each block to the log.
  return createDatabase(`template ${MIGRATED} strategy file_copy`);
}

/** Opens a database without anything in it. */
export function openEmptyDatabase(): Promise<Database> {
  return createDatabase('template template0');
}

async function createDatabase(from: string): Promise<Database> {
  const server = inject('testServer');
  const name = `test_${crypto.randomUUID().replaceAll('-', '')}`;
  const admin = openPostgresDatabase(server, 1);
  await admin.script(`create database ${name} ${from}`);
  await admin.close();
  return openPostgresDatabase(server.replace('/postgres?', `/${name}?`));
}
