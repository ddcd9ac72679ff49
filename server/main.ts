/**
 * Entry point of `npm start`. Starts the built-in Postgres process first and loads the rest of the server in parallel.
 */
import { type OpenDatabase, openDatabase, parseConfig } from '@signalfjord/backend/database';
import { SITE_OPTIONS } from './options.ts';

// Without NODE_ENV, a directly started server would use the slower development build of React.
process.env['NODE_ENV'] ??= 'production';

const databasePromise = startDatabase();
databasePromise?.catch(() => undefined);
const { serveSite } = await import('./serve-site.ts');
await serveSite(databasePromise);

/** Starts opening the database. The server awaits it and reports errors. */
function startDatabase(): Promise<OpenDatabase> | undefined {
  try {
    const config = parseConfig(process.env, SITE_OPTIONS);
    return config.SUPABASE_URL ? undefined : openDatabase(config);
  } catch (error) {
    return Promise.reject(error);
  }
}
