/**
 * A migrated, empty database, made once per run, from which each test file gets a copy of its own: a folder of PGlite, or
 * with TEST_DATABASE=postgres a template database on a real server.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { migrate } from '../../backend/database/migrate.ts';
import { openPgliteDatabase } from '../../backend/database/pglite-database.ts';
import { openPostgresDatabase } from '../../backend/database/postgres-database.ts';
import { startNativePostgres } from './native-postgres.ts';
import { TEMPLATES_VARIABLE } from './site.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder of PGlite, or the address of the template database. */
    databaseTemplate: string;
  }
}

const MIGRATIONS = join(import.meta.dirname, '../../supabase/migrations');

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  return process.env['TEST_DATABASE'] === 'postgres' ? provideTemplateDatabase(project) : provideFolder(project);
}

async function provideFolder(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'signalfjord-template-'));
  const template = join(folder, 'postgres');
  const database = await openPgliteDatabase({ folder: template });
  await migrate(database, MIGRATIONS);
  // A third of the files, which nobody connects to.
  await database.query('update pg_database set datistemplate = false');
  for (const unused of ['template0', 'template1']) await database.query(`drop database ${unused}`);
  await database.close();
  project.provide('databaseTemplate', template);
  process.env[TEMPLATES_VARIABLE] = folder;
  return () => rm(folder, { recursive: true, force: true });
}

async function provideTemplateDatabase(project: TestProject): Promise<() => Promise<void>> {
  const server = await startNativePostgres();
  const admin = openPostgresDatabase(server.url, 1);
  await admin.script('create database template_signalfjord');
  await admin.close();
  const url = server.url.replace(/\w+$/, 'template_signalfjord');
  const template = openPostgresDatabase(url, 1);
  await migrate(template, MIGRATIONS);
  await template.close();
  project.provide('databaseTemplate', url);
  return () => server.stop();
}
