/**
 * Session at this browser, and what it opens. Roles come from the user_roles table on every load, never from the token.
 * Browser only: the routes that use it are client-only.
 */
import { type Query, type QueryClient, queryOptions } from '@tanstack/react-query';
import { redirect } from '@tanstack/react-router';
import { sessionApi } from '../api/visitor-api.ts';
import { type Account, homeOf, type Role } from './account.ts';
import { announceSessionEnd, forgetDashboard, isDashboardRemembered } from './session-hint.ts';

export { type Account, homeOf };

/** The signed-in person, or null. */
export const accountQuery = queryOptions({
  queryKey: ['account'],
  // On demand: the first page's JavaScript has this file.
  queryFn: async () => (await import('./load-account.ts')).loadAccount(),
  staleTime: 60_000,
  retry: false,
});

/**
 * Returns the page for somebody without a session. If their session ended without signing out, that page tells so, and
 * they come back to `href` after signing in.
 */
export function signInPage(href: string) {
  return { to: '/auth', search: isDashboardRemembered() ? { back: href } : {} } as const;
}

interface GuardedRoute {
  context: { queryClient: QueryClient };
  location: { href: string; pathname: string };
}

/**
 * Returns the signed-in person, with their second factor if they have one, for `beforeLoad`. @throws redirect to /auth
 */
export async function requireAccount({ context, location }: GuardedRoute): Promise<Account> {
  const account = await context.queryClient.fetchQuery(accountQuery);
  if (!account) throw redirect(signInPage(location.href));
  if (account.factorDue === 'show') throw redirect({ to: '/auth', search: { back: location.href } });
  return account;
}

/**
 * Returns a person of that role, for `beforeLoad` of a dashboard. @throws redirect to /auth or to the page where they
 * belong
 */
export async function requireDashboard(route: GuardedRoute, role: Role): Promise<Account> {
  const account = await requireAccount(route);
  if (account.role !== role) throw redirect({ to: homeOf(account) });
  return account;
}

/**
 * Returns the admin, for `beforeLoad` of the admin area. A person who waits for approval goes to /pending-approval;
 * other non-admins go to /client-dashboard from the admin dashboard and to /auth from the rest, and from there to where
 * they belong.
 */
export async function requireAdmin(route: GuardedRoute): Promise<Account> {
  const account = await requireAccount(route);
  if (account.factorDue === 'enrol') throw redirect({ to: '/account' });
  if (account.role === 'admin') return account;
  if (account.role === null) throw redirect({ to: '/pending-approval' });
  throw redirect({ to: route.location.pathname === '/admin/dashboard' ? '/client-dashboard' : '/auth' });
}

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

/** Only admins write. The code comes on demand, because every page that asks who is signed in has this file. */
async function withUnsavedWork<Result>(
  { role }: Account,
  otherwise: Result,
  ask: (unsavedWork: typeof import('../editing/unsaved-work.ts')) => Promise<Result>,
): Promise<Result> {
  if (role !== 'admin') return otherwise;
  try {
    return await ask(await import('../editing/unsaved-work.ts'));
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
