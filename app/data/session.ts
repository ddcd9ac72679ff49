/**
 * Who is signed in at this browser and what that opens. Roles come from the user_roles table on every load, never from
 * the token. Browser only: the routes that use it are client-only.
 */
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { redirect } from '@tanstack/react-router';
import { sessionApi } from './api.ts';
import { announceSessionEnd, forgetDashboard, isDashboardRemembered, rememberDashboard } from './session-hint.ts';

export type Role = 'client' | 'team' | 'admin';

export interface Account {
  id: string;
  email: string;
  /** The name from the account page; empty until it is given. */
  name: string;
  createdAt: string;
  /** The role that counts: null while it is not approved. */
  role: Role | null;
  /** Where a person without a counting role stands. `none` means the account has no role at all. */
  registration: 'approved' | 'pending' | 'declined' | 'none';
}

/** Without zod, because routes ask for the account before their own code is loaded. */
function isRole(role: string): role is Role {
  return role === 'client' || role === 'team' || role === 'admin';
}

/** The signed-in person, or null. */
export const accountQuery = queryOptions({
  queryKey: ['account'],
  queryFn: loadAccount,
  staleTime: 60_000,
  retry: false,
});

async function loadAccount(): Promise<Account | null> {
  const api = await sessionApi();
  const { data } = await api.auth.getSession();
  const user = data.session?.user;
  if (!user) return null;
  const { name, role: wish } = user.user_metadata;
  const standing = await loadStanding(user.id, wish);
  if (!standing) return null;
  const account: Account = {
    id: user.id,
    email: user.email ?? '',
    name: typeof name === 'string' ? name : '',
    createdAt: user.created_at,
    ...standing,
  };
  rememberDashboard(homeOf(account));
  return account;
}

type Standing = Pick<Account, 'role' | 'registration'>;

/** A failed lookup is logged and the role becomes none. Null when the session has ended. */
async function loadStanding(userId: string, wish: unknown): Promise<Standing | null> {
  const api = await sessionApi();
  const readRow = () => api.from('user_roles').select('role, approved').eq('user_id', userId).maybeSingle();
  let { data, error, status } = await readRow();
  // Policies show no rows to a token whose session has ended, so no role and no session look the same here.
  if (!data && (!error || isRefused(status)) && (await hasSessionEnded())) return null;
  if (!data && !error) {
    const declined = await api.rpc('registration_declined');
    if (declined.data) return { role: null, registration: 'declined' };
    // With e-mail confirmation the role could not be assigned at sign-up: the wish is honoured at the first sign-in.
    if (wish === 'client' || wish === 'team') {
      const assigned = await api.rpc('register_with_role', { _user_id: userId, _role: wish });
      if (!assigned.error) ({ data, error } = await readRow());
    }
  }
  if (error) console.warn('The role lookup failed:', error.message);
  if (!data || !isRole(data.role)) return { role: null, registration: 'none' };
  const { role, approved } = data;
  return approved ? { role, registration: 'approved' } : { role: null, registration: 'pending' };
}

/** Asks the authentication service. A session that has ended, or whose account is gone, is removed from this browser. */
export async function hasSessionEnded(): Promise<boolean> {
  const api = await sessionApi();
  const { error } = await api.auth.getUser();
  if (!error) return false;
  // The client has removed the session already when the service answered that it does not exist.
  if (error.name === 'AuthSessionMissingError') return true;
  if (!isRefused(error.status)) return false;
  await api.auth.signOut({ scope: 'local' });
  return true;
}

function isRefused(status: number | undefined): boolean {
  return status === 401 || status === 403;
}

/** The page where a signed-in person belongs. */
export function homeOf({ role }: Account) {
  if (role === 'admin') return '/admin/dashboard';
  if (role === 'team') return '/team-dashboard';
  if (role === 'client') return '/client-dashboard';
  return '/pending-approval';
}

/**
 * Where somebody without a session is led. Whose session ended without signing out is told so there, and comes back to
 * `href` after signing in.
 */
export function signInPage(href: string) {
  return { to: '/auth', search: isDashboardRemembered() ? { back: href } : {} } as const;
}

interface GuardedRoute {
  context: { queryClient: QueryClient };
  location: { href: string; pathname: string };
}

/** For `beforeLoad`: the signed-in person. @throws redirect to /auth */
export async function requireAccount({ context, location }: GuardedRoute): Promise<Account> {
  const account = await context.queryClient.fetchQuery(accountQuery);
  if (!account) throw redirect(signInPage(location.href));
  return account;
}

/** For `beforeLoad` of a dashboard: a person of that role. @throws redirect to /auth or to the page where they belong */
export async function requireDashboard(route: GuardedRoute, role: Role): Promise<Account> {
  const account = await requireAccount(route);
  if (account.role !== role) throw redirect({ to: homeOf(account) });
  return account;
}

/**
 * For `beforeLoad` of the admin area. Whoever waits for approval goes to /pending-approval; other non-admins go to
 * /client-dashboard from the admin dashboard and to /auth from the rest, and from there to where they belong.
 */
export async function requireAdmin(route: GuardedRoute): Promise<Account> {
  const account = await requireAccount(route);
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
    } else if (event === 'SIGNED_IN' || event === 'USER_UPDATED') {
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

/** Whether signing out would forget something that the person left unsaved in this browser. */
export function leavesUnsavedWork(account: Account): Promise<boolean> {
  return withUnsavedWork(account, false, ({ hasWork }) => hasWork(account.id));
}

/** Only admins write. The code comes on demand, because every page that asks who is signed in has this file. */
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
  // Everything goes, drafts and other people's registrations included. What is being loaded is for the page to come, and
  // what an open form edits goes with the form.
  queryClient.removeQueries({
    predicate: ({ state, queryKey }) => state.fetchStatus === 'idle' && queryKey[0] !== 'editing',
  });
  queryClient.setQueryData(accountQuery.queryKey, null);
  announceSessionEnd();
}
