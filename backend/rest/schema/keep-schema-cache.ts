import type { Logger } from 'pino';
import type { Database } from '../../database/database.ts';
import { loadSchemaCache } from './load-schema-cache.ts';
import type { SchemaCache } from './schema-cache.ts';

interface KeptSchemaCache {
  /** Requests that come during a reload wait for it. */
  current(): Promise<SchemaCache>;
  /** Stops listening. */
  close(): Promise<void>;
}

/**
 * Loads the schema cache now and again on each `notify pgrst`, as PostgREST listens for it.
 */
export async function keepSchemaCache(database: Database, log: Logger): Promise<KeptSchemaCache> {
  let current = Promise.resolve(await loadSchemaCache(database));
  const stopListening = await database.listen('pgrst', (payload) => {
    if (payload !== '' && payload !== 'reload schema') return;
    const previous = current;
    current = loadSchemaCache(database).catch((error: unknown) => {
      log.error({ err: error }, 'The schema cache could not be reloaded');
      return previous;
    });
  });
  return { current: () => current, close: stopListening };
}
