import { readFile } from 'node:fs/promises';
import { inject } from 'vitest';
import type { Database } from '../../backend/database/database.ts';
import { openPgliteDatabase } from '../../backend/database/pglite-database.ts';
import { openPostgresDatabase } from '../../backend/database/postgres-database.ts';

/** A fresh copy of the migrated database, on PGlite or on the server that TEST_DATABASE=postgres started. */
export async function openTestDatabase(): Promise<Database> {
  const template = inject('databaseTemplate');
  if (!template.startsWith('postgres:')) return openPgliteDatabase({ load: new Blob([await readFile(template)]) });
  const name = `test_${crypto.randomUUID().replaceAll('-', '')}`;
  const admin = openPostgresDatabase(template.replace(/\w+$/, 'postgres'), 1);
  await admin.script(`create database ${name} template template_signalfjord`);
  await admin.close();
  return openPostgresDatabase(template.replace(/\w+$/, name));
}
