/**
 * Opens the Supabase API. Public pages use the small table client, and signed-in pages use the full client. Both
 * clients are loaded on demand.
 */
import type { PostgrestClient } from '@supabase/postgrest-js';
import type { SupabaseClient } from '@supabase/supabase-js';
import { createIsomorphicFn } from '@tanstack/react-start';
import { browserApiEndpoint } from './api-endpoint.ts';
import type { Database } from './database.types.ts';
import { requireSiteHost } from './host/site-host.ts';

const createPublicClient = createIsomorphicFn()
  .server(async () => {
    const { PostgrestClient } = await import('@supabase/postgrest-js');
    const host = requireSiteHost();
    return new PostgrestClient<Database>(`${host.apiUrl}/rest/v1`, {
      headers: { apikey: host.publishableKey },
      fetch: async (input, init) => requireSiteHost().fetch(new Request(input, init)),
      retry: false,
    });
  })
  .client(async () => {
    const { PostgrestClient } = await import('@supabase/postgrest-js');
    const { url, publishableKey } = browserApiEndpoint();
    return new PostgrestClient<Database>(`${url}/rest/v1`, {
      headers: { apikey: publishableKey },
      retry: false,
    });
  });

let publicClient: Promise<PostgrestClient<Database>> | undefined;

/** Opens the tables anonymously, on the server and in the browser, even for signed-in users. */
export function publicApi(): Promise<PostgrestClient<Database>> {
  publicClient ??= Promise.resolve(createPublicClient()).catch((error: unknown) => {
    // The code could not be loaded. Let the next read retry.
    publicClient = undefined;
    throw error;
  });
  return publicClient;
}

let isOpen = false;

/** True if the full client is loaded. */
export function isSessionApiOpen(): boolean {
  return isOpen;
}

/** Opens the full client with the session of this browser. Browser only. */
export async function sessionApi(): Promise<SupabaseClient<Database>> {
  isOpen = true;
  return (await import('./supabase.ts')).supabase;
}
