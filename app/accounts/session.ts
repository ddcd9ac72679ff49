/**
 * The session and its account. Roles are read from the user_roles table on every load, never from the token. Browser
 * only, because the routes are client-only.
 */
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { redirect } from '@tanstack/react-router';
import { hydrated } from '../ui/lib/hydrated.ts';
import { isMailedPage } from '../ui/lib/mailed-page.ts';
import { type Account, getStartPage, type Role } from './account.ts';
import { isDashboardRemembered, mayHaveSession } from './session-hint.ts';

export { type Account, getStartPage };

/** Reads the signed-in user, or null. */
export const accountQuery = queryOptions({
  queryKey: ['account'],
  queryFn: async () => {
    // Load the code on demand, because this file is in the initial bundle.
    const account = mayHaveSession() ? await (await import('./load-account.ts')).loadAccount() : null;
    // A redirect before hydration would fail.
    await hydrated;
    return account;
  },
  staleTime: 60_000,
  retry: false,
});

/**
 * Returns the link to the sign-in page. Signing in returns the user to `href` if an email links there or the session
 * ended without a sign-out.
 */
export function signInPage(href: string) {
  return { to: '/auth', search: isDashboardRemembered() || isMailedPage(href) ? { back: href } : {} } as const;
}

interface GuardedRoute {
  context: { queryClient: QueryClient };
  location: { href: string; pathname: string };
}

/**
 * Returns the signed-in user, for `beforeLoad`. A required second factor must be verified.
 * @throws redirect to /auth
 */
export async function requireAccount({ context, location }: GuardedRoute): Promise<Account> {
  const account = await context.queryClient.fetchQuery(accountQuery);
  if (!account) throw redirect(signInPage(location.href));
  if (account.factorDue === 'verify') throw redirect({ to: '/auth', search: { back: location.href } });
  return account;
}

/**
 * Returns a user with the role, for `beforeLoad` of a dashboard.
 * @throws redirect to /auth or to the user's start page
 */
export async function requireDashboard(route: GuardedRoute, role: Role): Promise<Account> {
  const account = await requireAccount(route);
  if (account.role !== role) throw redirect({ to: getStartPage(account) });
  return account;
}

/**
 * Returns the admin, for `beforeLoad` of the admin area. Redirects pending users to /pending-approval. Redirects other
 * non-admins from the admin dashboard to /client-dashboard. Redirects them from other admin pages to /auth, which
 * redirects to their start page.
 */
export async function requireAdmin(route: GuardedRoute): Promise<Account> {
  const account = await requireAccount(route);
  if (account.factorDue === 'enrol') throw redirect({ to: '/account' });
  if (account.role === 'admin') return account;
  if (account.role === null) throw redirect({ to: '/pending-approval' });
  throw redirect({ to: route.location.pathname === '/admin/dashboard' ? '/client-dashboard' : '/auth' });
}
