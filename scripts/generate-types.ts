/**
 * Writes app/data/database.types.ts, the schema as TypeScript in the format of Supabase's generated types, from the
 * migrations. A test fails when the file and the migrations disagree.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { migrate } from '../backend/database/migrate.ts';
import { openPgliteDatabase } from '../backend/database/pglite-database.ts';
import { loadSchemaCache } from '../backend/rest/schema/load-schema-cache.ts';
import { databaseTypes } from './database-types.ts';

const root = join(import.meta.dirname, '..');
const database = await openPgliteDatabase({});
await migrate(database, join(root, 'supabase/migrations'));
await writeFile(join(root, 'app/data/database.types.ts'), databaseTypes(await loadSchemaCache(database)));
await database.close();
