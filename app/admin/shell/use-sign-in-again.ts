import { useCallback, useEffect, useRef, useState } from 'react';
import { adminSession } from '../../accounts/ended-session.ts';
import type { Account } from '../../accounts/session.ts';
import { explainRejectedWrites } from '../../api/rejected-writes.ts';
import { hasUnsavedChanges } from './has-unsaved-changes.ts';

/**
 * Asks a person whose session ended to sign in again on the same page. Rejected writes are retried after the sign-in.
 * `answer` is set while the dialog is open, and is called with true if the person signed in.
 */
export function useSignInAgain({ id }: Account) {
  const [answer, setAnswer] = useState<((isBack: boolean) => void) | null>(null);
  const pendingAnswer = useRef<Promise<boolean>>(null);
  const explanations = useRef(0);

  const ask = useCallback(() => {
    pendingAnswer.current ??= new Promise<boolean>((resolve) => setAnswer(() => resolve)).finally(() => {
      pendingAnswer.current = null;
      setAnswer(null);
    });
    return pendingAnswer.current;
  }, []);

  useEffect(
    () =>
      explainRejectedWrites(async (sentWith) => {
        explanations.current += 1;
        try {
          const session = (await adminSession(id)) ?? ((await ask()) ? await adminSession(id) : null);
          if (!session) return { cause: 'rejected', message: 'You are signed out. Sign in again to do this.' };
          if (session.accessToken !== sentWith) return { cause: 'ended', accessToken: session.accessToken };
          if (session.isAdmin) return { cause: 'other' };
          return { cause: 'rejected', message: 'You are no longer an admin, so this was not done.' };
        } finally {
          explanations.current -= 1;
        }
      }),
    [id, ask],
  );

  const isExplaining = () => explanations.current > 0 || pendingAnswer.current !== null;

  /** Returns whether to stay on the page after the session ended, to keep unsaved changes. */
  const stayOnPage = async (signedOut: Promise<boolean>) => {
    // Check immediately: the person may have signed in again before the promise settles.
    if (isExplaining()) return true;
    const hasSignedOut = await signedOut;
    if (isExplaining()) return true;
    // A sign-out in another tab navigates as usual, with a prompt for unsaved changes.
    if (hasSignedOut || !hasUnsavedChanges()) return false;
    void ask();
    return true;
  };
  return { answer, stayOnPage };
}
