import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useRouter } from '@tanstack/react-router';
import { useEffect, useEffectEvent } from 'react';
import { type Account, accountQuery, getStartPage, signInPage } from './session.ts';
import { forgetAccount, subscribeToSession } from './session-end.ts';
import { wasSignedOut } from './session-hint.ts';

interface SessionSyncOptions {
  refetchInterval?: number;
  /**
   * Called when the session ends. `signedOut` resolves to true if the user signed out in another tab. Return true to
   * stay on the page and show the sign-in dialog.
   */
  onEnd?: (signedOut: Promise<boolean>) => Promise<boolean>;
  /** Prevents navigation when the role changes. */
  isSignInDialogOpen?: boolean;
}

/**
 * Reacts to session changes on a signed-in screen. Navigates to `/` if the user signed out in another tab, to
 * /auth if the session expired or was revoked, and to the user's start page if the role changed. Returns the current
 * account.
 */
export function useSessionSync(account: Account, options: SessionSyncOptions = {}): Account {
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
      // Each failed request calls `end`. Handle only the first call, because `href` may already be the sign-in page
      // afterwards.
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
    void subscribeToSession(queryClient, () => void end()).then((unsubscribe) => {
      if (hasUnmounted) unsubscribe();
      else stop = unsubscribe;
    });
    return () => {
      hasUnmounted = true;
      stop?.();
    };
  }, [queryClient, navigate, router]);

  const hasRoleChanged = current !== null && current.role !== account.role && !options.isSignInDialogOpen;
  useEffect(() => {
    if (hasRoleChanged && current) void navigate({ to: getStartPage(current), replace: true });
  }, [hasRoleChanged, current, navigate]);

  return current ?? account;
}
