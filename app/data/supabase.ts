/** The full Supabase client. Loaded only by signed-in pages, sign-in and chat, always through sessionApi(). */
import { createClient } from '@supabase/supabase-js';
import { browserApiEndpoint } from './api-endpoint.ts';
import type { Database } from './database.types.ts';
import { fetchAsSignedIn } from './refused-writes.ts';

const { url, publishableKey } = browserApiEndpoint();

/** Session in localStorage, refreshed in the background; requests carry its access token. */
export const supabase = createClient<Database>(url, publishableKey, {
  global: { fetch: fetchAsSignedIn },
  auth: { persistSession: true, autoRefreshToken: true, detectSessionInUrl: true },
});
