import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { type Account, accountQuery, followSession, homeOf } from './session.ts';

/**
 * Keeps a signed-in screen honest: when the session ends here or in another tab it leads to `/`, and when the person's
 * role changes it leads to where he belongs now. Returns the account as it stands.
 */
export function useFollowSession(account: Account, options: { refetchInterval?: number } = {}): Account {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const { data: current = account } = useQuery({
    ...accountQuery,
    refetchInterval: options.refetchInterval ?? false,
    refetchOnWindowFocus: 'always',
  });

  useEffect(() => {
    let stop: (() => void) | undefined;
    let left = false;
    void followSession(queryClient, () => void navigate({ to: '/' })).then((unsubscribe) => {
      if (left) unsubscribe();
      else stop = unsubscribe;
    });
    return () => {
      left = true;
      stop?.();
    };
  }, [queryClient, navigate]);

  const moved = current !== null && current.role !== account.role;
  useEffect(() => {
    if (moved && current) void navigate({ to: homeOf(current), replace: true });
  }, [moved, current, navigate]);

  return current ?? account;
}
