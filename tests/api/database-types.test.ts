import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadSchemaCache } from '../../packages/backend/src/rest/schema/load-schema-cache.ts';
import { databaseTypes } from '../../scripts/database-types.ts';
import { findDifference } from '../../scripts/migrations.ts';
import { openEmptyDatabase, openTestDatabase } from '../support/test-database.ts';

test('The types of the data layer match the migrations (`npm run types` updates them)', async () => {
  const database = await openTestDatabase();
  const expected = databaseTypes(await loadSchemaCache(database));
  await database.close();
  const file = join(import.meta.dirname, '../../app/api/database.types.ts');
  expect(await readFile(file, 'utf8')).toBe(expected);
});

test('The migrations create the schema in supabase/schemas (`npm run new-migration` updates them)', async () => {
  const [declaredDatabase, migratedDatabase] = [await openEmptyDatabase(), await openEmptyDatabase()];
  expect(await findDifference(join(import.meta.dirname, '../../supabase'), declaredDatabase, migratedDatabase)).toBe(
    '',
  );
  await declaredDatabase.close();
  await migratedDatabase.close();
});
