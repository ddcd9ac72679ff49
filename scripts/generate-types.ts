/**
 * Writes what is made from other sources: app/api/database.types.ts, the schema as TypeScript in the format of Supabase's
 * generated types; supabase/schema, the schema to read; docs/configuration.md. Tests fail where they disagree.
 */

import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { loadSchemaCache, migrate, openTemporaryDatabase } from '@signalfjord/backend/commands';
import { configurationPage } from './configuration-page.ts';
import { databaseTypes } from './database-types.ts';
import { schemaFiles } from './schema/schema-files.ts';

const root = join(import.meta.dirname, '..');
const database = await openTemporaryDatabase();
await migrate(database, join(root, 'supabase/migrations'));
await writeFile(join(root, 'app/api/database.types.ts'), databaseTypes(await loadSchemaCache(database)));
const schema = await schemaFiles(database);
await database.close();

const folder = join(root, 'supabase/schema');
await rm(folder, { recursive: true, force: true });
for (const [path, text] of schema) {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), text);
}

await writeFile(join(root, 'docs/configuration.md'), configurationPage());
