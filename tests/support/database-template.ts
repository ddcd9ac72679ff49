/**
 * A migrated, empty database, made once per run, from which each test file gets a copy of its own: a folder of PGlite, or
 * with TEST_DATABASE=postgres a template database on a real server. Beside it is one without any migration.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { migrate } from '../../backend/database/migrate.ts';
import { openPgliteDatabase } from '../../backend/database/pglite-database.ts';
import { openPostgresDatabase } from '../../backend/database/postgres-database.ts';
import { copyFolder } from './copy-folder.ts';
import { startNativePostgres } from './native-postgres.ts';
import { BEGUN, TEMPLATES_VARIABLE } from './site.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder of PGlite, or the address of the template database. */
    databaseTemplate: string;
    /** The folder of PGlite before its migrations; '' on a server. */
    emptyTemplate: string;
  }
}

const MIGRATIONS = join(import.meta.dirname, '../../supabase/migrations');

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  return process.env['TEST_DATABASE'] === 'postgres' ? provideTemplateDatabase(project) : provideFolder(project);
}

async function provideFolder(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'signalfjord-template-'));
  const [empty, template] = [join(folder, 'empty'), join(folder, 'postgres')];
  const unmigrated = await openPgliteDatabase({ folder: empty });
  // A third of the files, which nobody connects to.
  await unmigrated.query('update pg_database set datistemplate = false');
  for (const unused of ['template0', 'template1']) await unmigrated.query(`drop database ${unused}`);
  await unmigrated.close();
  await copyFolder(empty, template);
  const database = await openPgliteDatabase({ folder: template });
  await migrate(database, MIGRATIONS);
  await database.close();
  await keepBegun(template, join(folder, BEGUN));
  project.provide('databaseTemplate', template);
  project.provide('emptyTemplate', empty);
  process.env[TEMPLATES_VARIABLE] = folder;
  return () => rm(folder, { recursive: true, force: true });
}

/** Makes the folder of a first start that was killed behind its migrations, which the next start goes on with. */
async function keepBegun(template: string, begun: string): Promise<void> {
  await copyFolder(template, begun);
  const database = await openPgliteDatabase({ folder: begun });
  await database.script('create table backend.first_start ()');
  await database.close();
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
  project.provide('emptyTemplate', '');
  return () => server.stop();
}
