/** Full Supabase client. Used by signed-in pages, sign-in and the chat. Always call it through sessionApi(). */
import { createClient } from '@supabase/supabase-js';
import { browserApiEndpoint } from './api-endpoint.ts';
import type { Database } from './database.types.ts';
import { fetchAsSignedIn } from './rejected-writes.ts';

const { url, publishableKey } = browserApiEndpoint();

/** The session is stored in localStorage and refreshed in the background. */
export const supabase = createClient<Database>(url, publishableKey, {
  global: { fetch: fetchAsSignedIn },
  auth: {
    persistSession: true,
    autoRefreshToken: true,
    detectSessionInUrl: true,
    experimental: { recoveryCodes: true },
  },
});

/** Creates a client that impersonates a member of a client (app/clients/impersonation.ts). */
export function impersonationApi(asMember: string) {
  return createClient<Database>(url, publishableKey, {
    global: { fetch: fetchAsSignedIn, headers: { 'x-as-member': asMember } },
    accessToken: async () => (await supabase.auth.getSession()).data.session?.access_token ?? null,
  });
}

const VERIFIER = 'address-proof-verifier';
const isVerifier = (key: string) => key.endsWith('-code-verifier');

/** Creates a client that sends the access token and stores only the PKCE code verifier of an emailed link. */
export function createPkceClient(accessToken: string | undefined) {
  return createClient<Database>(url, publishableKey, {
    ...(accessToken ? { global: { headers: { Authorization: `Bearer ${accessToken}` } } } : {}),
    auth: {
      flowType: 'pkce',
      autoRefreshToken: false,
      detectSessionInUrl: false,
      // A unique key prevents the warning about several clients with the same storage key.
      storageKey: crypto.randomUUID(),
      storage: {
        getItem: (key) => (isVerifier(key) ? localStorage.getItem(VERIFIER) : null),
        setItem: (key, value) => {
          if (isVerifier(key)) localStorage.setItem(VERIFIER, value);
        },
        removeItem: (key) => {
          if (isVerifier(key)) localStorage.removeItem(VERIFIER);
        },
      },
    },
  });
}

/** Creates a client without a stored session, for reauthentication without changing the session of the page. */
export function createTransientClient() {
  return createClient<Database>(url, publishableKey, {
    auth: {
      persistSession: false,
      autoRefreshToken: false,
      detectSessionInUrl: false,
      storageKey: crypto.randomUUID(),
    },
  });
}
