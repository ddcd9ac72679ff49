import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useRouter } from '@tanstack/react-router';
import { useEffect, useEffectEvent } from 'react';
import { type Account, accountQuery, homeOf, signInPage } from './session.ts';
import { followSession, forgetAccount } from './session-end.ts';
import { wasSignedOut } from './session-hint.ts';

interface FollowOptions {
  refetchInterval?: number;
  /**
   * Called when the session ends, with a promise that is true after signing out in another tab. Returning true keeps
   * the screen, which then asks the user to sign in again.
   */
  onEnd?: (signedOut: Promise<boolean>) => Promise<boolean>;
  /** True while the sign-in dialog is open. The screen is kept in the meantime. */
  isAsking?: boolean;
}

/**
 * Keeps a signed-in screen up to date: navigates to `/` after signing out in another tab, to /auth if the session ended
 * otherwise, and to the user's start page if the role changed. Returns the current account.
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
    let hasUnmounted = false;
    let isEnding = false;
    const end = async () => {
      // Every request made with the ended session triggers this, and the URL may already be that of the sign-in page.
      if (isEnding) return;
      isEnding = true;
      const { href } = router.state.location;
      const signedOut = wasSignedOut();
      if (await keepsScreen(signedOut)) {
        isEnding = false;
        return;
      }
      const hasSignedOut = await signedOut;
      if (hasUnmounted) return;
      forgetAccount(queryClient);
      void navigate(hasSignedOut ? { to: '/' } : signInPage(href));
    };
    void followSession(queryClient, () => void end()).then((unsubscribe) => {
      if (hasUnmounted) unsubscribe();
      else stop = unsubscribe;
    });
    return () => {
      hasUnmounted = true;
      stop?.();
    };
  }, [queryClient, navigate, router]);

  const hasRoleChanged = current !== null && current.role !== account.role && !options.isAsking;
  useEffect(() => {
    if (hasRoleChanged && current) void navigate({ to: homeOf(current), replace: true });
  }, [hasRoleChanged, current, navigate]);

  return current ?? account;
}
