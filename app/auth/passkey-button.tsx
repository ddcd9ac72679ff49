import { KeyRound } from 'lucide-react';
import { isKeyRefused } from '../data/accounts/factors.ts';
import { signInWithPasskey } from '../data/accounts/passkeys.ts';
import { supportsWebAuthn } from '../lib/webauthn-support.ts';
import { Button } from '../ui/button.tsx';
import { useMutationWithToasts } from '../ui/use-mutation-with-toasts.ts';
import { authFailure } from './auth-failure.ts';

/** Signs in with a passkey, where the browser can. */
export function PasskeyButton({ onEnter }: { onEnter: () => Promise<void> }) {
  const entering = useMutationWithToasts(
    { mutationFn: signInWithPasskey, onSuccess: onEnter },
    {
      success: (isDone) => (isDone ? ['Welcome back!', 'You have been signed in successfully.'] : undefined),
      failure: (error) => (isKeyRefused(error) ? 'No passkey was used' : authFailure('Sign in failed', error)),
    },
  );
  if (!supportsWebAuthn()) return null;
  return (
    <Button variant="secondary" loading={entering.isPending} onClick={() => entering.mutate()}>
      <KeyRound aria-hidden="true" />
      Sign in with a passkey
    </Button>
  );
}
