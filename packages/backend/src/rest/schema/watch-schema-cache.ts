import type { Logger } from 'pino';
import type { Database } from '../../database/database.ts';
import { loadSchemaCaches } from './load-schema-cache.ts';
import type { SchemaCache } from './schema-cache.ts';

interface SchemaCacheWatcher {
  /** Returns the caches by schema. During a reload, waits for the new caches. */
  current(): Promise<ReadonlyMap<string, SchemaCache>>;
  /** Stops listening. */
  close(): Promise<void>;
}

/** Loads the schema caches, and reloads them on each `notify pgrst`, as PostgREST does. */
export async function watchSchemaCaches(
  database: Database,
  schemas: readonly string[],
  log: Logger,
): Promise<SchemaCacheWatcher> {
  let current = Promise.resolve(await loadSchemaCaches(database, schemas));
  const stopListening = await database.listen('pgrst', (payload) => {
    if (payload !== '' && payload !== 'reload schema') return;
    database.discardPreparedStatements();
    const previous = current;
    current = loadSchemaCaches(database, schemas).catch((error: unknown) => {
      log.error({ err: error }, 'The schema cache could not be reloaded');
      return previous;
    });
  });
  return { current: () => current, close: stopListening };
}
