/**
 * A migrated, empty database, made once per run, from which each test file gets a copy of its own: a PGlite dump, or
 * with TEST_DATABASE=postgres a template database on a real server.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { migrate } from '../../backend/database/migrate.ts';
import { openPgliteDatabase } from '../../backend/database/pglite-database.ts';
import { openPostgresDatabase } from '../../backend/database/postgres-database.ts';
import { startNativePostgres } from './native-postgres.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The file of the dump, or the address of the template database. */
    databaseTemplate: string;
  }
}

const MIGRATIONS = join(import.meta.dirname, '../../supabase/migrations');

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  return process.env['TEST_DATABASE'] === 'postgres' ? provideTemplateDatabase(project) : provideDump(project);
}

async function provideDump(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'signalfjord-template-'));
  const database = await openPgliteDatabase({});
  await migrate(database, MIGRATIONS);
  const file = join(folder, 'template.tar');
  await writeFile(file, Buffer.from(await (await database.dump()).arrayBuffer()));
  await database.close();
  project.provide('databaseTemplate', file);
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
