/**
 * The Postgres server of a test run. It has an empty, migrated database that each test file copies. There is also a
 * data folder in the same state, for tests that start a server process.
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { migrate } from '../../packages/backend/src/database/migrate.ts';
import { openPostgresDatabase } from '../../packages/backend/src/database/postgres-database.ts';
import { startBuiltInServer } from '../../packages/backend/src/postgres/built-in-server.ts';
import { createTemplate } from '../../packages/backend/tests/support/test-database.ts';
import { copyFolder } from './copy-folder.ts';
import { INTERRUPTED_START, TEMPLATES_VARIABLE } from './site.ts';
import { MIGRATED } from './test-database.ts';

const MIGRATIONS = join(import.meta.dirname, '../../supabase/migrations');

/** Test files run in parallel, each with a connection pool. */
const CONNECTIONS = 200;

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'signalfjord-template-'));
  const dataFolder = join(folder, 'server');
  await mkdir(dataFolder, { mode: 0o700 });
  const options = { dataFolder, folder: join(dataFolder, 'postgres'), poolSize: CONNECTIONS, isDurable: false };
  await makeFirstStart(options);
  await copyFolder(options.folder, join(folder, INTERRUPTED_START));
  const server = await startBuiltInServer(options);
  await runInDatabase(server.url, `create database ${MIGRATED} template postgres`);
  await runInDatabase(server.url.replace('/postgres?', `/${MIGRATED}?`), 'drop table backend.first_start');
  await createTemplate(server.url);
  project.provide('testServer', server.url);
  process.env[TEMPLATES_VARIABLE] = folder;
  return async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  };
}

/** Creates the data of a first start that was killed after its migrations. The next start continues it. */
async function makeFirstStart(options: Parameters<typeof startBuiltInServer>[0]): Promise<void> {
  const server = await startBuiltInServer(options);
  const database = openPostgresDatabase(server.url, 1);
  await migrate(database, MIGRATIONS);
  await database.script('create table backend.first_start ()');
  await database.close();
  await server.stop();
}

async function runInDatabase(url: string, sql: string): Promise<void> {
  const database = openPostgresDatabase(url, 1);
  await database.script(sql);
  await database.close();
}
