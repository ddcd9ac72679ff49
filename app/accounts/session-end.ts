/**
 * The end of the session at this browser. Apart from session.ts, which every first page's JavaScript has, because only
 * pages behind the sign-in end one.
 */
import type { Query, QueryClient } from '@tanstack/react-query';
import { sessionApi } from '../api/visitor-api.ts';
import { type Account, accountQuery } from './session.ts';
import { announceSessionEnd, forgetDashboard } from './session-hint.ts';

/**
 * Follows the session for as long as the page lives: another tab's sign-in or sign-out, a refresh that fails, a link
 * from an e-mail. `onEnd` runs when the session ends, but for signing out in this tab, which leads on by itself.
 */
export async function followSession(queryClient: QueryClient, onEnd: () => void): Promise<() => void> {
  const api = await sessionApi();
  const { data } = api.auth.onAuthStateChange((event, session) => {
    if (event === 'SIGNED_OUT') {
      if (isSigningOut) return;
      queryClient.setQueryData(accountQuery.queryKey, null);
      announceSessionEnd();
      onEnd();
    } else if (event === 'SIGNED_IN' || event === 'USER_UPDATED' || event === 'MFA_CHALLENGE_VERIFIED') {
      const known = queryClient.getQueryData(accountQuery.queryKey);
      if (event === 'SIGNED_IN' && known?.id === session?.user.id) return;
      // Not inside the callback: the client holds its lock while it runs.
      setTimeout(() => void queryClient.invalidateQueries({ queryKey: accountQuery.queryKey }), 0);
    }
  });
  return () => data.subscription.unsubscribe();
}

let isSigningOut = false;

/**
 * Forgets what the person left unsaved in this browser and ends the session: first in this browser and, by the client's
 * broadcast, in every other tab, then on the server. Without a network the server's part is left out, and the session is
 * of no use to anybody here all the same.
 */
export async function signOut(queryClient: QueryClient, account: Account): Promise<void> {
  const api = await sessionApi();
  isSigningOut = true;
  forgetDashboard();
  await withUnsavedWork(account, undefined, ({ dropWorkOf }) => dropWorkOf(account.id));
  try {
    await api.auth.signOut({ scope: 'local' });
    forgetAccount(queryClient);
  } finally {
    isSigningOut = false;
  }
}

/** Tells whether signing out would forget something that the person left unsaved in this browser. */
export function leavesUnsavedWork(account: Account): Promise<boolean> {
  return withUnsavedWork(account, false, ({ hasWork }) => hasWork(account.id));
}

/** Only admins write. The code comes on demand: others never need it. */
async function withUnsavedWork<Result>(
  { role }: Account,
  otherwise: Result,
  ask: (unsavedWork: typeof import('./unsaved-work.ts')) => Promise<Result>,
): Promise<Result> {
  if (role !== 'admin') return otherwise;
  try {
    return await ask(await import('./unsaved-work.ts'));
  } catch {
    // It could not be loaded. Signing out goes first.
    return otherwise;
  }
}

/** Forgets the person and all that they could read. */
export function forgetAccount(queryClient: QueryClient): void {
  // Everything goes, drafts and other people's registrations included. Queries that are loading are for the page to
  // come, and those of an open form go with the form.
  removeWhenLeft(queryClient, ({ state, queryKey }) => state.fetchStatus === 'idle' && queryKey[0] !== 'editing');
  queryClient.setQueryData(accountQuery.queryKey, null);
  announceSessionEnd();
}

/** Removes queries: at once, or when the page that shows them is left. Removed before, it would read them again, as nobody. */
function removeWhenLeft(queryClient: QueryClient, isMeant: (query: Query) => boolean): void {
  const cache = queryClient.getQueryCache();
  const shown = new Set<Query>();
  for (const query of cache.findAll({ predicate: isMeant })) {
    if (query.getObserversCount() === 0) cache.remove(query);
    else shown.add(query);
  }
  if (shown.size === 0) return;
  const stop = cache.subscribe(({ type, query }) => {
    if (type !== 'observerRemoved' || query.getObserversCount() > 0 || !shown.delete(query)) return;
    cache.remove(query);
    if (shown.size === 0) stop();
  });
}
