import { useCallback, useEffect, useRef, useState } from 'react';
import { adminSession } from '../../accounts/ended-session.ts';
import type { Account } from '../../accounts/session.ts';
import { explainRefusedWrites } from '../../api/refused-writes.ts';
import { hasUnsavedChanges } from './has-unsaved-changes.ts';

/**
 * Lets somebody whose session ended while they wrote sign in again where they are. Writes that were refused for it wait
 * meanwhile, and are sent once more. `answer` is there while they are asked: it takes whether they are back.
 */
export function useSignInAgain({ id }: Account) {
  const [answer, setAnswer] = useState<((isBack: boolean) => void) | null>(null);
  const asking = useRef<Promise<boolean>>(null);
  const explanations = useRef(0);

  const ask = useCallback(() => {
    asking.current ??= new Promise<boolean>((resolve) => setAnswer(() => resolve)).finally(() => {
      asking.current = null;
      setAnswer(null);
    });
    return asking.current;
  }, []);

  useEffect(
    () =>
      explainRefusedWrites(async (sentWith) => {
        explanations.current += 1;
        try {
          const session = (await adminSession(id)) ?? ((await ask()) ? await adminSession(id) : null);
          if (!session) return { cause: 'refused', sentence: 'You are signed out. Sign in again to do this.' };
          if (session.accessToken !== sentWith) return { cause: 'ended', accessToken: session.accessToken };
          if (session.isAdmin) return { cause: 'other' };
          return { cause: 'refused', sentence: 'You are no longer an admin, so this was not done.' };
        } finally {
          explanations.current -= 1;
        }
      }),
    [id, ask],
  );

  const isExplaining = () => explanations.current > 0 || asking.current !== null;

  /** Tells whether the screen stays when the session has ended, because something on it is unsaved. */
  const keepScreen = async (signedOut: Promise<boolean>) => {
    // Looks now: before the promise settles they may have answered, and be back.
    if (isExplaining()) return true;
    const hasSignedOut = await signedOut;
    if (isExplaining()) return true;
    // Somebody who signed out in another tab is asked about leaving, as when they go anywhere else.
    if (hasSignedOut || !hasUnsavedChanges()) return false;
    void ask();
    return true;
  };
  return { answer, keepScreen };
}
