import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { supportsWebAuthn } from '../../ui/lib/webauthn-support.ts';
import { toast } from '../../ui/toast.ts';

/** Signs in with a passkey, if the browser supports it. */
export function PasskeyButton({ onEnter }: { onEnter: () => Promise<void> }) {
  const [isEntering, setEntering] = useState(false);
  if (!supportsWebAuthn()) return null;
  const enter = async () => {
    setEntering(true);
    const code = await import('./sign-in-with-passkey.ts').catch(() => null);
    if (code) await code.submitPasskey(onEnter);
    else toast.error('An error occurred', 'Please try again later.');
    setEntering(false);
  };
  return (
    <Button variant="secondary" loading={isEntering} onClick={() => void enter()}>
      <KeyRound aria-hidden="true" />
      Sign in with a passkey
    </Button>
  );
}
