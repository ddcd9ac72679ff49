/** The full Supabase client. Loaded only by signed-in pages, sign-in and chat, always through sessionApi(). */
import { createClient } from '@supabase/supabase-js';
import type { Database } from '../database.types.ts';
import { browserApiEndpoint } from './api-endpoint.ts';
import { fetchAsSignedIn } from './refused-writes.ts';

const { url, publishableKey } = browserApiEndpoint();

/** Session in localStorage, refreshed in the background; requests carry its access token. */
export const supabase = createClient<Database>(url, publishableKey, {
  global: { fetch: fetchAsSignedIn },
  auth: {
    persistSession: true,
    autoRefreshToken: true,
    detectSessionInUrl: true,
    experimental: { recoveryCodes: true },
  },
});

/** A client of its own that keeps no session: to show once more who one is, without touching the session of the page. */
export function createPassingClient() {
  return createClient<Database>(url, publishableKey, {
    auth: {
      persistSession: false,
      autoRefreshToken: false,
      detectSessionInUrl: false,
      storageKey: crypto.randomUUID(),
    },
  });
}
