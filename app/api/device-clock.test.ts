import { createClient } from '@supabase/supabase-js';
import { afterEach, expect, test, vi } from 'vitest';
import { fetchAuth } from './device-clock.ts';

const HOUR = 3600;

afterEach(() => vi.unstubAllGlobals());

/** Stubs an auth service whose clock is `secondsBehind` seconds behind the device clock. */
function stubServer(secondsBehind: number, refreshStatus = () => 200) {
  const refreshes: string[] = [];
  vi.stubGlobal('fetch', async (input: RequestInfo | URL) => {
    const isRefresh = String(input).includes('grant_type=refresh_token');
    if (isRefresh) refreshes.push(String(input));
    const status = isRefresh ? refreshStatus() : 200;
    if (status !== 200) return Response.json({ code: 'over_request_rate_limit', message: 'Wait' }, { status });
    const expires_at = Math.round(Date.now() / 1000) - secondsBehind + HOUR;
    const user = { id: crypto.randomUUID(), email: 'kari@example.com' };
    return Response.json({ access_token: 'a.b.c', refresh_token: 'r', expires_in: HOUR, expires_at, user });
  });
  return refreshes;
}

function newClient(authOptions: object = {}) {
  const auth = { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false, ...authOptions };
  return createClient('https://site.example', 'key', { global: { fetch: fetchAuth }, auth });
}

test.each([70 * 60, 0, -70 * 60])(
  'Does not refresh the session before each request if the server clock is %i seconds behind',
  async (secondsBehind) => {
    const refreshes = stubServer(secondsBehind);
    const { auth } = newClient();
    await auth.signInWithPassword({ email: 'kari@example.com', password: 'x' });
    for (let call = 0; call < 5; call += 1) expect((await auth.getSession()).data.session?.access_token).toBe('a.b.c');
    expect(refreshes).toEqual([]);
  },
);

test('A 429 response to a token refresh does not end the session', async () => {
  let status = 429;
  const refreshes = stubServer(0, () => status);
  const { auth } = newClient();
  await auth.signInWithPassword({ email: 'kari@example.com', password: 'x' });
  const signedOut = vi.fn();
  auth.onAuthStateChange((event) => event === 'SIGNED_OUT' && signedOut());
  const refresh = auth.refreshSession();
  await vi.waitFor(() => expect(refreshes.length).toBeGreaterThan(0), 120_000);
  status = 200;
  expect((await refresh).data.session).not.toBeNull();
  expect(signedOut).not.toHaveBeenCalled();
});
