import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { type Account, accountQuery, followSession, homeOf, signInPage } from './session.ts';
import { isDashboardRemembered } from './session-hint.ts';

/**
 * Keeps a signed-in screen true: signing out in another tab leads to `/`, a session that ended otherwise to /auth and
 * back, and a change of the person's role to where they belong now. Returns the account as it stands.
 */
export function useFollowSession(account: Account, options: { refetchInterval?: number } = {}): Account {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const router = useRouter();
  const { data: current = account } = useQuery({
    ...accountQuery,
    refetchInterval: options.refetchInterval ?? false,
    refetchOnWindowFocus: 'always',
  });

  useEffect(() => {
    let stop: (() => void) | undefined;
    let left = false;
    const leave = () => navigate(isDashboardRemembered() ? signInPage(router.state.location.href) : { to: '/' });
    void followSession(queryClient, () => void leave()).then((unsubscribe) => {
      if (left) unsubscribe();
      else stop = unsubscribe;
    });
    return () => {
      left = true;
      stop?.();
    };
  }, [queryClient, navigate, router]);

  const moved = current !== null && current.role !== account.role;
  useEffect(() => {
    if (moved && current) void navigate({ to: homeOf(current), replace: true });
  }, [moved, current, navigate]);

  return current ?? account;
}
