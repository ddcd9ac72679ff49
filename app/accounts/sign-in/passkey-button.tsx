import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { supportsWebAuthn } from '../../ui/lib/webauthn-support.ts';
import { toast } from '../../ui/toast.ts';

/** Button to sign in with a passkey. Renders nothing if the browser does not support passkeys. */
export function PasskeyButton({ onSignedIn }: { onSignedIn: () => Promise<void> }) {
  const [isSigningIn, setSigningIn] = useState(false);
  if (!supportsWebAuthn()) return null;
  const signIn = async () => {
    setSigningIn(true);
    const code = await import('./sign-in-with-passkey.ts').catch(() => null);
    if (code) await code.submitPasskey(onSignedIn);
    else toast.error('An error occurred', 'Please try again later.');
    setSigningIn(false);
  };
  return (
    <Button variant="secondary" loading={isSigningIn} onClick={() => void signIn()}>
      <KeyRound aria-hidden="true" />
      Sign in with a passkey
    </Button>
  );
}
