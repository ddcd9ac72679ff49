/**
 * Writes the generated files: app/api/database.types.ts, in the format of `supabase gen types`, and
 * docs/configuration.md. Tests fail if they are out of date.
 */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { loadSchemaCache, migrate, openTemporaryDatabase } from '@signalfjord/backend/commands';
import { configurationPage } from './configuration-page.ts';
import { databaseTypes } from './database-types.ts';

const root = join(import.meta.dirname, '..');
const database = await openTemporaryDatabase();
await migrate(database, join(root, 'supabase/migrations'));
await writeFile(join(root, 'app/api/database.types.ts'), databaseTypes(await loadSchemaCache(database)));
await database.close();

await writeFile(join(root, 'docs/configuration.md'), configurationPage());
