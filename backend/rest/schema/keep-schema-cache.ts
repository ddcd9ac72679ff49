import type { Logger } from 'pino';
import type { Database } from '../../database/database.ts';
import { loadSchemaCache } from './load-schema-cache.ts';
import type { SchemaCache } from './schema-cache.ts';

/**
 * Loads the schema cache now and again on each `notify pgrst`, as PostgREST listens for it.
 * @returns the way to get the current one; requests that come during a reload wait for it
 */
export async function keepSchemaCache(database: Database, log: Logger): Promise<() => Promise<SchemaCache>> {
  let current = Promise.resolve(await loadSchemaCache(database));
  await database.listen('pgrst', (payload) => {
    if (payload !== '' && payload !== 'reload schema') return;
    const previous = current;
    current = loadSchemaCache(database).catch((error: unknown) => {
      log.error({ err: error }, 'The schema cache could not be reloaded');
      return previous;
    });
  });
  return () => current;
}
