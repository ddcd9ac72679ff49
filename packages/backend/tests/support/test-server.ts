/** Postgres server for the tests of this package. A test run of the whole repository starts its own server. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { startBuiltInServer } from '../../src/postgres/built-in-server.ts';
import { createTemplate } from './test-database.ts';

/** Maximum number of connections. It is enough for test files that run in parallel, each with a pool. */
const CONNECTIONS = 200;

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'signalfjord-backend-'));
  const dataFolder = join(folder, 'server');
  await mkdir(dataFolder, { mode: 0o700 });
  const server = await startBuiltInServer({
    dataFolder,
    folder: join(dataFolder, 'postgres'),
    poolSize: CONNECTIONS,
    isDurable: false,
  });
  await createTemplate(server.url);
  project.provide('testServer', server.url);
  return async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  };
}
