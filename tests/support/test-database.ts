import { readFile } from 'node:fs/promises';
import { inject } from 'vitest';
import type { Database } from '../../backend/database/database.ts';
import { openPgliteDatabase } from '../../backend/database/pglite-database.ts';
import { openPostgresDatabase } from '../../backend/database/postgres-database.ts';

/**
 * A fresh copy of the migrated database, on PGlite or on the server that TEST_DATABASE=postgres started. PGlite keeps it
 * in memory, or in `folder`, where it lives on when a statement passes its deadline.
 */
export async function openTestDatabase(folder?: string): Promise<Database> {
  const template = inject('databaseTemplate');
  if (!template.startsWith('postgres:')) {
    const load = new Blob([await readFile(template)]);
    return openPgliteDatabase(folder === undefined ? { load } : { folder, load });
  }
  return createDatabase(template, 'template template_signalfjord');
}

/** A database without anything in it, in memory or on the server of the tests. */
export async function openEmptyDatabase(): Promise<Database> {
  const template = inject('databaseTemplate');
  return template.startsWith('postgres:') ? createDatabase(template, '') : openPgliteDatabase({});
}

async function createDatabase(template: string, from: string): Promise<Database> {
  const name = `test_${crypto.randomUUID().replaceAll('-', '')}`;
  const admin = openPostgresDatabase(template.replace(/\w+$/, 'postgres'), 1);
  await admin.script(`create database ${name} ${from}`);
  await admin.close();
  return openPostgresDatabase(template.replace(/\w+$/, name));
}
