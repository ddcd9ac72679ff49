import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadSchemaCache } from '../../backend/rest/schema/load-schema-cache.ts';
import { databaseTypes } from '../../scripts/database-types.ts';
import { openTestDatabase } from '../support/test-database.ts';

test('The types of the data layer are those of the migrations; `npm run types` writes them anew', async () => {
  const database = await openTestDatabase();
  const expected = databaseTypes(await loadSchemaCache(database));
  await database.close();
  const file = join(import.meta.dirname, '../../app/data/database.types.ts');
  expect(await readFile(file, 'utf8')).toBe(expected);
});
