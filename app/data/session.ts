/**
 * Who is signed in at this browser and what that opens. Roles come from the user_roles table on every load, never from
 * the token. Browser only: the routes that use it are client-only.
 */
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { redirect } from '@tanstack/react-router';
import { sessionApi } from './api.ts';
import { forgetDashboardHint, rememberDashboard } from './session-hint.ts';

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
  const account: Account = {
    id: user.id,
    email: user.email ?? '',
    name: typeof name === 'string' ? name : '',
    createdAt: user.created_at,
    ...(await loadStanding(user.id, wish)),
  };
  rememberDashboard(homeOf(account));
  return account;
}

type Standing = Pick<Account, 'role' | 'registration'>;

/** A failed lookup is logged and the role becomes none, as the specification says. */
async function loadStanding(userId: string, wish: unknown): Promise<Standing> {
  const api = await sessionApi();
  const readRow = () => api.from('user_roles').select('role, approved').eq('user_id', userId).maybeSingle();
  let { data, error } = await readRow();
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

/** The page where a signed-in person belongs. */
export function homeOf({ role }: Account) {
  if (role === 'admin') return '/admin/dashboard';
  if (role === 'team') return '/team-dashboard';
  if (role === 'client') return '/client-dashboard';
  return '/pending-approval';
}

/** For `beforeLoad`: the signed-in person. @throws redirect to /auth */
export async function requireAccount(queryClient: QueryClient): Promise<Account> {
  const account = await queryClient.fetchQuery(accountQuery);
  if (!account) throw redirect({ to: '/auth' });
  return account;
}

/** For `beforeLoad` of a dashboard: a person of that role. @throws redirect to /auth or to the page where he belongs */
export async function requireDashboard(queryClient: QueryClient, role: Role): Promise<Account> {
  const account = await requireAccount(queryClient);
  if (account.role !== role) throw redirect({ to: homeOf(account) });
  return account;
}

/**
 * For `beforeLoad` of the admin area. Whoever waits for approval goes to /pending-approval; other non-admins go to
 * /client-dashboard from the admin dashboard and to /auth from the rest, and from there to where they belong.
 */
export async function requireAdmin(queryClient: QueryClient, pathname: string): Promise<Account> {
  const account = await requireAccount(queryClient);
  if (account.role === 'admin') return account;
  if (account.role === null) throw redirect({ to: '/pending-approval' });
  throw redirect({ to: pathname === '/admin/dashboard' ? '/client-dashboard' : '/auth' });
}

/**
 * Follows the session for as long as the page lives: another tab's sign-in or sign-out, a refresh that fails, a link
 * from an e-mail. `onSignedOut` runs when the session ends, wherever it was ended.
 */
export async function followSession(queryClient: QueryClient, onSignedOut: () => void): Promise<() => void> {
  const api = await sessionApi();
  const { data } = api.auth.onAuthStateChange((event, session) => {
    if (event === 'SIGNED_OUT') {
      forgetAccount(queryClient);
      onSignedOut();
    } else if (event === 'SIGNED_IN' || event === 'USER_UPDATED') {
      const known = queryClient.getQueryData(accountQuery.queryKey);
      if (event === 'SIGNED_IN' && known?.id === session?.user.id) return;
      // Not inside the callback: the client holds its lock while it runs.
      setTimeout(() => void queryClient.invalidateQueries({ queryKey: accountQuery.queryKey }), 0);
    }
  });
  return () => data.subscription.unsubscribe();
}

/** Ends the session here and, by the client's broadcast, in every other tab. */
export async function signOut(queryClient: QueryClient): Promise<void> {
  const api = await sessionApi();
  await api.auth.signOut({ scope: 'local' });
  forgetAccount(queryClient);
}

function forgetAccount(queryClient: QueryClient): void {
  // Everything goes, drafts and other people's registrations included. What is being loaded is for the page to come.
  queryClient.removeQueries({ predicate: ({ state }) => state.fetchStatus === 'idle' });
  queryClient.setQueryData(accountQuery.queryKey, null);
  forgetDashboardHint();
}
