import { QueryClient } from '@tanstack/react-query';
import { describe, expect, test } from 'vitest';
import type { Account } from './account.ts';
import { accountQuery, getStartPage, requireAdmin, requireDashboard } from './session.ts';

const ACCOUNT: Account = {
  id: '1',
  email: 'kari@example.com',
  name: '',
  createdAt: '',
  role: null,
  registration: 'pending',
  factorDue: null,
  hasClient: false,
  removedCredentials: null,
};

/** Returns the redirect target of the guard, or undefined. */
async function findRedirect(guard: typeof requireAdmin, account: Account | null, pathname = '/admin/posts') {
  const queryClient = new QueryClient();
  queryClient.setQueryData(accountQuery.queryKey, account);
  const route = { context: { queryClient }, location: { href: pathname, pathname } };
  return guard(route).then(
    () => undefined,
    (thrown) => thrown.options.to,
  );
}

describe.each([
  { role: 'client', dashboard: '/client-dashboard', otherTarget: '/auth' },
  { role: 'team', dashboard: '/client-dashboard', otherTarget: '/auth' },
  { role: 'admin', dashboard: undefined, otherTarget: undefined },
  { role: null, dashboard: '/pending-approval', otherTarget: '/pending-approval' },
] as const)('A user with the role $role', ({ role, dashboard, otherTarget }) => {
  const account = { ...ACCOUNT, role };

  test.each(['client', 'team'] as const)('is redirected from the %s dashboard unless roles match', async (other) => {
    const startPage = role === other ? undefined : getStartPage(account);
    expect(await findRedirect((route) => requireDashboard(route, other), account)).toBe(startPage);
  });

  test('is redirected from the admin area unless they are an admin', async () => {
    expect(await findRedirect(requireAdmin, account, '/admin/dashboard')).toBe(dashboard);
    expect(await findRedirect(requireAdmin, account, '/admin/settings')).toBe(otherTarget);
  });
});

test('Every guarded route redirects to /auth without a session or before the second factor is verified', async () => {
  for (const account of [null, { ...ACCOUNT, role: 'admin', factorDue: 'verify' } as const]) {
    expect(await findRedirect(requireAdmin, account)).toBe('/auth');
    expect(await findRedirect((route) => requireDashboard(route, 'client'), account)).toBe('/auth');
  }
});

test('An admin without the required second factor is redirected to the account page', async () => {
  expect(await findRedirect(requireAdmin, { ...ACCOUNT, role: 'admin', factorDue: 'enrol' })).toBe('/account');
});

test('Each role has its own start page', () => {
  const startPages = (['client', 'team', 'admin', null] as const).map((role) => getStartPage({ ...ACCOUNT, role }));
  expect(startPages).toEqual(['/client-dashboard', '/team-dashboard', '/admin/dashboard', '/pending-approval']);
});
