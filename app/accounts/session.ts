/**
 * Session at this browser, and what it opens. Roles come from the user_roles table on every load, never from the token.
 * Browser only: the routes that use it are client-only.
 */
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { redirect } from '@tanstack/react-router';
import { hydrated } from '../ui/lib/hydrated.ts';
import { isMailedPage } from '../ui/lib/mailed-page.ts';
import { type Account, homeOf, type Role } from './account.ts';
import { isDashboardRemembered, mayHaveSession } from './session-hint.ts';

export { type Account, homeOf };

/** The signed-in person, or null. */
export const accountQuery = queryOptions({
  queryKey: ['account'],
  queryFn: async () => {
    // On demand: the first page's JavaScript has this file.
    const account = mayHaveSession() ? await (await import('./load-account.ts')).loadAccount() : null;
    // It may lead elsewhere, nobody to /auth at once, which must not come before the page is taken over.
    await hydrated;
    return account;
  },
  staleTime: 60_000,
  retry: false,
});

/**
 * Returns the sign-in page for a visitor without a session. It leads back to `href` if a mail links there, or if the
 * session ended without signing out.
 */
export function signInPage(href: string) {
  return { to: '/auth', search: isDashboardRemembered() || isMailedPage(href) ? { back: href } : {} } as const;
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
