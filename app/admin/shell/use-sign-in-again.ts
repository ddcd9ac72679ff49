import { useCallback, useEffect, useRef, useState } from 'react';
import { adminSession } from '../../accounts/ended-session.ts';
import type { Account } from '../../accounts/session.ts';
import { explainRejectedWrites } from '../../api/rejected-writes.ts';
import { hasUnsavedChanges } from './has-unsaved-changes.ts';

/**
 * Asks a user whose session has ended to sign in again on the same page. Rejected writes are retried after the sign-in.
 * `closeDialog` is set while the dialog is open. Call it with true if the person has signed in.
 */
export function useSignInAgain({ id }: Account) {
  const [closeDialog, setCloseDialog] = useState<((hasSignedIn: boolean) => void) | null>(null);
  const pendingSignIn = useRef<Promise<boolean>>(null);
  const explanations = useRef(0);

  const requestSignIn = useCallback(() => {
    pendingSignIn.current ??= new Promise<boolean>((resolve) => setCloseDialog(() => resolve)).finally(() => {
      pendingSignIn.current = null;
      setCloseDialog(null);
    });
    return pendingSignIn.current;
  }, []);

  useEffect(
    () =>
      explainRejectedWrites(async (sentToken) => {
        explanations.current += 1;
        try {
          const session = (await adminSession(id)) ?? ((await requestSignIn()) ? await adminSession(id) : null);
          if (!session) return { cause: 'rejected', message: 'You are signed out. Sign in again to do this.' };
          if (session.accessToken !== sentToken) return { cause: 'ended', accessToken: session.accessToken };
          if (session.isAdmin) return { cause: 'other' };
          return { cause: 'rejected', message: 'You are no longer an admin, so this was not done.' };
        } finally {
          explanations.current -= 1;
        }
      }),
    [id, requestSignIn],
  );

  const isExplaining = () => explanations.current > 0 || pendingSignIn.current !== null;

  /** Returns whether to stay on the page after the session ended, to keep unsaved changes. */
  const stayOnPage = async (signedOut: Promise<boolean>) => {
    // Check immediately: the person may have signed in again before the promise settles.
    if (isExplaining()) return true;
    const hasSignedOut = await signedOut;
    if (isExplaining()) return true;
    // A sign-out in another tab navigates as usual, with a prompt for unsaved changes.
    if (hasSignedOut || !hasUnsavedChanges()) return false;
    void requestSignIn();
    return true;
  };
  return { closeDialog, stayOnPage };
}
