/**
 * Ends the session. In a separate file, because only signed-in pages need this code and session.ts is part of the
 * initial bundle.
 */
import type { Query, QueryClient } from '@tanstack/react-query';
import { sessionApi } from '../api/visitor-api.ts';
import { type Account, accountQuery } from './session.ts';
import { announceSessionEnd, forgetDashboard } from './session-hint.ts';

/**
 * Subscribes to session changes, such as sign-in and sign-out in other tabs, failed refreshes and email links. `onEnd`
 * is called when the session ends, except after a sign-out in this tab, which already navigates.
 */
export async function subscribeToSession(queryClient: QueryClient, onEnd: () => void): Promise<() => void> {
  const api = await sessionApi();
  const { data } = api.auth.onAuthStateChange((event, session) => {
    if (event === 'SIGNED_OUT') {
      if (isSigningOut) return;
      queryClient.setQueryData(accountQuery.queryKey, null);
      announceSessionEnd();
      onEnd();
    } else if (event === 'SIGNED_IN' || event === 'USER_UPDATED' || event === 'MFA_CHALLENGE_VERIFIED') {
      const cachedAccount = queryClient.getQueryData(accountQuery.queryKey);
      if (event === 'SIGNED_IN' && cachedAccount?.id === session?.user.id) return;
      // Defer the call, because the auth client holds its lock during the callback.
      setTimeout(() => void queryClient.invalidateQueries({ queryKey: accountQuery.queryKey }), 0);
    }
  });
  return () => data.subscription.unsubscribe();
}

let isSigningOut = false;

/**
 * Deletes the user's unsaved work and ends the session, first in all tabs of this browser and then on the server.
 * Removes the local session even if the server cannot be reached.
 */
export async function signOut(queryClient: QueryClient, account: Account): Promise<void> {
  const api = await sessionApi();
  isSigningOut = true;
  forgetDashboard();
  await callUnsavedWork(account, undefined, ({ deleteAllWork }) => deleteAllWork(account.id));
  try {
    await api.auth.signOut({ scope: 'local' });
    forgetAccount(queryClient);
  } finally {
    isSigningOut = false;
  }
}

/** True if signing out would delete unsaved work in this browser. */
export function hasUnsavedWork(account: Account): Promise<boolean> {
  return callUnsavedWork(account, false, ({ hasWork }) => hasWork(account.id));
}

/** Loads the code on demand, because only admins have unsaved work. */
async function callUnsavedWork<Result>(
  { role }: Account,
  fallback: Result,
  run: (unsavedWork: typeof import('./unsaved-work.ts')) => Promise<Result>,
): Promise<Result> {
  if (role !== 'admin') return fallback;
  try {
    return await run(await import('./unsaved-work.ts'));
  } catch {
    // Loading failed. Do not block the sign-out.
    return fallback;
  }
}

/** Clears the user and all cached data. */
export function forgetAccount(queryClient: QueryClient): void {
  // Clears all cached data, including drafts and registrations. Keeps queries in flight, because they belong to the
  // next page. The queries of an open form are removed when the form unmounts.
  removeWhenUnobserved(queryClient, ({ state, queryKey }) => state.fetchStatus === 'idle' && queryKey[0] !== 'editing');
  queryClient.setQueryData(accountQuery.queryKey, null);
  announceSessionEnd();
}

/**
 * Removes queries now, or once they have no observers. Removing an observed query would refetch it without a session.
 */
function removeWhenUnobserved(queryClient: QueryClient, predicate: (query: Query) => boolean): void {
  const cache = queryClient.getQueryCache();
  const observed = new Set<Query>();
  for (const query of cache.findAll({ predicate })) {
    if (query.getObserversCount() === 0) cache.remove(query);
    else observed.add(query);
  }
  if (observed.size === 0) return;
  const stop = cache.subscribe(({ type, query }) => {
    if (type !== 'observerRemoved' || query.getObserversCount() > 0 || !observed.delete(query)) return;
    cache.remove(query);
    if (observed.size === 0) stop();
  });
}
