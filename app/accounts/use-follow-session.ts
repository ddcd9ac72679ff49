import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useRouter } from '@tanstack/react-router';
import { useEffect, useEffectEvent } from 'react';
import { type Account, accountQuery, homeOf, signInPage } from './session.ts';
import { followSession, forgetAccount } from './session-end.ts';
import { wasSignedOut } from './session-hint.ts';

interface FollowOptions {
  refetchInterval?: number;
  /**
   * Called at the moment when the session ends, with whether it was ended by signing out in another tab: true keeps the
   * screen, which then asks to sign in again itself.
   */
  onEnd?: (signedOut: Promise<boolean>) => Promise<boolean>;
  /** True while the screen asks: then it is kept whatever happens to the session. */
  isAsking?: boolean;
}

/**
 * Keeps a signed-in screen true: signing out in another tab leads to `/`, a session that ended otherwise to /auth and
 * back, and a change of the person's role to where they belong now. Returns the account as it stands.
 */
export function useFollowSession(account: Account, options: FollowOptions = {}): Account {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const router = useRouter();
  const { data: current = account } = useQuery({
    ...accountQuery,
    refetchInterval: options.refetchInterval ?? false,
    refetchOnWindowFocus: 'always',
  });

  const keepsScreen = useEffectEvent((signedOut: Promise<boolean>) => options.onEnd?.(signedOut) ?? false);
  useEffect(() => {
    let stop: (() => void) | undefined;
    let left = false;
    let isEnding = false;
    const end = async () => {
      // Each request that meets the dead session says so. By the second the address can be that of the sign-in page.
      if (isEnding) return;
      isEnding = true;
      const { href } = router.state.location;
      const signedOut = wasSignedOut();
      if (await keepsScreen(signedOut)) {
        isEnding = false;
        return;
      }
      const hasSignedOut = await signedOut;
      if (left) return;
      forgetAccount(queryClient);
      void navigate(hasSignedOut ? { to: '/' } : signInPage(href));
    };
    void followSession(queryClient, () => void end()).then((unsubscribe) => {
      if (left) unsubscribe();
      else stop = unsubscribe;
    });
    return () => {
      left = true;
      stop?.();
    };
  }, [queryClient, navigate, router]);

  const moved = current !== null && current.role !== account.role && !options.isAsking;
  useEffect(() => {
    if (moved && current) void navigate({ to: homeOf(current), replace: true });
  }, [moved, current, navigate]);

  return current ?? account;
}
