/**
 * Entry of `npm start`. The built-in database starts as a process of its own: that is begun first, and the rest of the
 * server loads beside it.
 */
import { type OpenDatabase, openDatabase, parseConfig } from '@signalfjord/backend/database';
import { SITE_OPTIONS } from './options.ts';

// Without it a server that was started directly would run the slower development build of React.
process.env['NODE_ENV'] ??= 'production';

const opened = begin();
opened?.catch(() => undefined);
const { serveSite } = await import('./serve-site.ts');
await serveSite(opened);

/** Begins to open the database. A failure is explained by the server, which awaits it. */
function begin(): Promise<OpenDatabase> | undefined {
  try {
    const config = parseConfig(process.env, SITE_OPTIONS);
    return config.SUPABASE_URL ? undefined : openDatabase(config);
  } catch (error) {
    return Promise.reject(error);
  }
}
