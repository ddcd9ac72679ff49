/**
 * Entry of `npm start`. The embedded database takes long to open, and does so in a thread of its own: that is begun
 * first, and the rest of the server loads beside it.
 */
import { parseConfig } from '../backend/config.ts';
import { beginToOpen, type OpenDatabase } from '../backend/open-database.ts';

// A server that was started directly is no development: React and what renders would be a third slower.
process.env['NODE_ENV'] ??= 'production';

const { opened } = await begin();
const { serveSite } = await import('./serve-site.ts');
await serveSite(opened);

/** Begins to open the database. A fault here comes up again in the server, which explains it. */
async function begin(): Promise<{ opened?: Promise<OpenDatabase> }> {
  try {
    const config = parseConfig(process.env);
    if (config.SUPABASE_URL) return {};
    const begun = await beginToOpen(config);
    begun.opened.catch(() => undefined);
    return begun;
  } catch (error) {
    const opened = Promise.reject(error);
    opened.catch(() => undefined);
    return { opened };
  }
}
