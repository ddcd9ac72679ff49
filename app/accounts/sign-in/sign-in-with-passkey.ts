import { showError } from '../../ui/show-error.ts';
import { toast } from '../../ui/toast.ts';
import { isKeyCancelled } from '../factors.ts';
import { signInWithPasskey } from '../passkeys.ts';
import { authErrorTitle } from './auth-error-title.ts';

/** Signs in with a passkey and shows the result. Loaded on click. */
export async function submitPasskey(onSignedIn: () => Promise<void>): Promise<void> {
  try {
    const isDone = await signInWithPasskey();
    if (isDone) toast.success('Welcome back!', 'You have been signed in successfully.');
    await onSignedIn();
  } catch (error) {
    const isCancelled = error instanceof Error && isKeyCancelled(error);
    showError(isCancelled ? 'No passkey was used' : authErrorTitle('Sign in failed', error), error);
  }
}
