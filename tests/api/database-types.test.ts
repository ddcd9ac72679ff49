import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { loadSchemaCache } from '../../packages/backend/src/rest/schema/load-schema-cache.ts';
import { databaseTypes } from '../../scripts/database-types.ts';
import { schemaFiles } from '../../scripts/schema/schema-files.ts';
import { openTestDatabase } from '../support/test-database.ts';

test('The types of the data layer are those of the migrations; `npm run types` writes them anew', async () => {
  const database = await openTestDatabase();
  const expected = databaseTypes(await loadSchemaCache(database));
  await database.close();
  const file = join(import.meta.dirname, '../../app/api/database.types.ts');
  expect(await readFile(file, 'utf8')).toBe(expected);
});

test('The schema to read is that of the migrations; `npm run types` writes it anew', async () => {
  const database = await openTestDatabase();
  const expected = await schemaFiles(database);
  await database.close();
  const folder = join(import.meta.dirname, '../../supabase/schema');
  const written = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = written
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
  expect(paths.sort()).toEqual([...expected.keys()].sort());
  for (const [path, text] of expected) expect(await readFile(join(folder, path), 'utf8'), path).toBe(text);
});
