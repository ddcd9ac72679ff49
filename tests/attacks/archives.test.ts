/**
 * Forged archives. Each is rejected with one sentence, the site keeps every row and file, and no file is written
 * elsewhere. The valid archive replaces all data.
 */
import { access, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OperatorError } from '../../packages/backend/src/database/operator-error.ts';
import { exportArchive } from '../../packages/backend/src/export-import/export-archive.ts';
import { ownFiles } from '../../packages/backend/src/export-import/files.ts';
import { importArchive } from '../../packages/backend/src/export-import/import-archive.ts';
import { listTables, sumRows, tableSql } from '../../packages/backend/src/export-import/tables.ts';
import { openLocalByteStore } from '../../packages/backend/src/storage/bytes/local-byte-store.ts';
import { pdf } from '../../packages/backend/tests/support/sample-files.ts';
import { listContentTables } from '../../scripts/moving.ts';
import { runCommand } from '../support/command.ts';
import { startTestBackend, type TestBackend } from '../support/test-backend.ts';
import { readLayout, unzip } from '../support/zip-bytes.ts';
import { type ArchiveParts, FORGERIES, ROWS, rebuildArchive } from './archive-forgeries.ts';

const ROOT = join(import.meta.dirname, '../..');
const PASSWORD = 'Correct-horse-7';
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);

let folder: string;
let site: TestBackend;
let parts: ArchiveParts;
/** Content of the site and the folder around it before any attack. */
let initialState: unknown;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signalfjord-archives-'));
  const source = await startTestBackend();
  await source.visitor.auth.signUp({ email: 'ada@example.com', password: PASSWORD });
  const media = source.service.storage.from('content-media');
  await media.upload('one.png', PICTURE, { contentType: 'image/png' });
  await media.upload('two.pdf', pdf, { contentType: 'application/pdf' });
  await source.service.from('posts').insert({ title: 'Draft', slug: 'draft', content: 'a\\b\tc\nd' }).throwOnError();
  const path = join(folder, 'site.zip');
  await exportArchive(createArchiveTarget(source), path);
  await source.close();
  const { data, list } = await readLayout(path);
  parts = { archive: await readFile(path), data, end: list, contents: await unzip(path) };

  site = await startTestBackend();
  await site.visitor.auth.signUp({ email: 'bob@example.com', password: PASSWORD });
  await site.service.storage.from('content-media').upload('kept.png', PICTURE, { contentType: 'image/png' });
  initialState = await takeFingerprint();
});
afterAll(async () => {
  await site.close();
  await rm(folder, { recursive: true });
});

function createArchiveTarget({ backend, dataFolder }: TestBackend) {
  const files = ownFiles(openLocalByteStore(join(dataFolder, 'files')), dataFolder);
  return {
    database: backend.database,
    files,
    migrationsFolder: join(ROOT, 'supabase/migrations'),
    version: '0.1.0',
    listContentTables,
  };
}

/** Returns a checksum of every table, and the paths of all files in and around the site. */
async function takeFingerprint() {
  const sums = await site.backend.database.transaction(async (tx) => {
    const checksums: string[] = [];
    for (const table of await listTables(tx, false)) {
      const columns = table.columns.map(({ name }) => name);
      checksums.push(`${tableSql(table)} ${(await sumRows(tx, table, columns)).sha256}`);
    }
    return checksums;
  });
  return { sums, files: await listFiles() };
}

async function listFiles() {
  const folders = [join(site.dataFolder, 'files'), folder];
  const entries = await Promise.all(folders.map((path) => readdir(path, { recursive: true, withFileTypes: true })));
  return entries
    .flat()
    .filter((entry) => !entry.isDirectory())
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort();
}

async function attempt(bytes: Buffer) {
  const path = join(folder, 'attempt.zip');
  await writeFile(path, bytes);
  try {
    return await importArchive({ ...createArchiveTarget(site), replace: true }, path);
  } finally {
    await rm(path);
  }
}

async function expectRejected(bytes: Buffer): Promise<void> {
  const attemptedImport = attempt(bytes);
  await expect(attemptedImport).rejects.toThrow(OperatorError);
  await expect(attemptedImport).rejects.toThrow(/^[^\n]+\. Nothing was changed\.$|update this program first/);
}

describe.each(FORGERIES)('%s', (_, forgeries) => {
  test.each(forgeries)('rejects $name', async ({ bytes }) => {
    const filesBefore = await listFiles();
    await expectRejected(bytes(parts));
    expect(await listFiles()).toEqual(filesBefore);
  });
});

describe('Archives with changed rows and matching hashes', () => {
  test.each(ROWS)('rejects $name', async ({ bytes }) => {
    await expectRejected(bytes(parts));
    expect(await takeFingerprint()).toEqual(initialState);
  });
});

test('All 236 forgeries have different names, and the site is unchanged', async () => {
  const names = [...FORGERIES.flatMap(([, forgeries]) => forgeries), ...ROWS].map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(names).toHaveLength(236);
  expect(await takeFingerprint()).toEqual(initialState);
});

/** Runs the command as a user does, in a new folder. */
async function runImport(path: string) {
  const { code, stdout, stderr } = await runCommand(['scripts/import.ts', path], { DATA_DIR: join(folder, 'new') });
  return { code, output: stdout + stderr };
}

test('For a forged archive, the command prints one line, exits with 1 and creates no database', async () => {
  const titles = ['a path in the parent folder', 'an extra statement: drop table public.posts;'];
  const forgeries = [...FORGERIES.flatMap(([, forgeries]) => forgeries), ...ROWS];
  const path = join(folder, 'attempt.zip');
  for (const forgery of forgeries.filter(({ name }) => titles.includes(name))) {
    await writeFile(path, forgery.bytes(parts));
    const { code, output } = await runImport(path);
    expect([forgery.name, code]).toEqual([forgery.name, 1]);
    expect(output).toMatch(/^[^\n]+\. Nothing was changed\.$/);
    await expect(access(join(folder, 'new/postgres'))).rejects.toThrow('ENOENT');
  }
  await rm(path);
});

test('The valid archive, rebuilt by hand, replaces all data', async () => {
  const result = await attempt(rebuildArchive(parts));
  expect(result.files).toBe(2);
  const { rows } = await site.backend.database.query('select email from auth.users');
  expect(rows).toEqual([{ email: 'ada@example.com' }]);
});

test('A byte store does not read, copy or delete a file outside its folder when the key is a path', async () => {
  const store = openLocalByteStore(join(folder, 'store'));
  await writeFile(join(folder, 'secret'), 'secret');
  for (const key of ['../../secret', '..', '.', '', '/etc/hostname', 'a/b', 'secret\0']) {
    await expect(store.read(key)).rejects.toMatchObject({ code: 'NoSuchKey' });
    await expect(store.copy(key, crypto.randomUUID())).rejects.toMatchObject({ code: 'NoSuchKey' });
    await store.remove([key]);
  }
  expect(await readFile(join(folder, 'secret'), 'utf8')).toBe('secret');
  const key = crypto.randomUUID();
  const path = join(folder, 'staged');
  await writeFile(path, 'bytes');
  await store.put(key, { path, size: 5, md5: '', sha256: '' });
  expect(String((await (await store.read(key)).toArray())[0])).toBe('bytes');
});
