import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { migrate } from '../../backend/database/migrate.ts';
import { openPgliteDatabase } from '../../backend/database/pglite-database.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A tar file of a migrated, empty database, which each test file starts from. */
    databaseTemplate: string;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'signalfjord-template-'));
  const database = await openPgliteDatabase({});
  await migrate(database, join(import.meta.dirname, '../../supabase/migrations'));
  const file = join(folder, 'template.tar');
  await writeFile(file, Buffer.from(await (await database.dump()).arrayBuffer()));
  await database.close();
  project.provide('databaseTemplate', file);
  return () => rm(folder, { recursive: true, force: true });
}
