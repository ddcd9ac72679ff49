/**
 * `node scripts/keep-database.ts [NAME COMMIT]`: dumps a database of the current version, or of a commit, to
 * tests/databases/. Later versions test their upgrade from it (tests/api/old-databases.test.ts). Run at each release.
 * The default name is the version in package.json.
 */

import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  exportArchive,
  migrate,
  openLocalByteStore,
  openTemporaryDatabase,
  ownFiles,
  seed,
} from '@signalfjord/backend/commands';
import { addRows } from './add-rows.ts';
import { programVersion } from './moving.ts';

const ROOT = join(import.meta.dirname, '..');

const version = await programVersion();
const [name = version, commit] = process.argv.slice(2);
const folder = await mkdtemp(join(tmpdir(), 'signalfjord-database-'));
const database = await openTemporaryDatabase();
const sources = commit === undefined ? ROOT : await checkOut(commit);
const migrationsFolder = join(sources, 'supabase/migrations');
const bootstrap = new Set(await readdir(join(sources, 'packages/backend/src/database/bootstrap')));
await migrate(database, migrationsFolder, (file) => /^\d{14}$/.test(file) || bootstrap.has(file));
await seed(database, join(sources, 'supabase/seed.sql'));
await seed(database, join(sources, 'scripts/attack/sample-rows.sql'));
const empty = await addRows(database);
const { rows: objects } = await database.query<{ version: string }>(
  'select version from storage.objects union select version from backend.deleted_objects',
);
for (const { version: objectVersion } of objects) {
  await mkdir(join(folder, objectVersion.slice(0, 2)), { recursive: true });
  await writeFile(join(folder, objectVersion.slice(0, 2), objectVersion), 'kept');
}
const path = join(ROOT, 'tests/databases', `${name}.zip`);
await exportArchive({ database, files: ownFiles(openLocalByteStore(folder), folder), migrationsFolder, version }, path);
await database.close();
await rm(folder, { recursive: true });
console.log(`${path} was written${empty.length > 0 ? `. Tables without rows: ${empty.join(', ')}` : ''}.`);

async function checkOut(ref: string): Promise<string> {
  const tar = execFileSync('git', ['archive', ref, 'supabase', 'packages/backend/src/database', 'scripts/attack'], {
    cwd: ROOT,
    maxBuffer: 1e9,
  });
  execFileSync('tar', ['-x', '-C', folder], { input: tar });
  return folder;
}
