/** The full Supabase client. Loaded only by signed-in pages, sign-in and chat, always through sessionApi(). */
import { createClient } from '@supabase/supabase-js';
import { browserApiEndpoint } from './api-endpoint.ts';
import type { Database } from './database.types.ts';
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

/** Creates a client with the session of this browser that looks at a client's rooms as a member (clients/looking.ts). */
export function lookingApi(asMember: string) {
  return createClient<Database>(url, publishableKey, {
    global: { fetch: fetchAsSignedIn, headers: { 'x-as-member': asMember } },
    accessToken: async () => (await supabase.auth.getSession()).data.session?.access_token ?? null,
  });
}

const VERIFIER = 'address-proof-verifier';
const isVerifier = (key: string) => key.endsWith('-code-verifier');

/**
 * Creates a client that says with each request in which session it is asked, and keeps no session of its own: only the
 * verifier of a link that comes back by a mail.
 */
export function createProofClient(accessToken: string | undefined) {
  return createClient<Database>(url, publishableKey, {
    ...(accessToken ? { global: { headers: { Authorization: `Bearer ${accessToken}` } } } : {}),
    auth: {
      flowType: 'pkce',
      autoRefreshToken: false,
      detectSessionInUrl: false,
      // Clients with the same key warn of each other, so the verifier has a name of its own.
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

/** Creates a client that keeps no session: to show once more who one is, without touching the session of the page. */
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
