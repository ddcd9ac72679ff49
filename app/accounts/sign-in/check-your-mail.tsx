import type { ReactNode } from 'react';
import { Button } from '../../ui/button.tsx';
import { AuthLayout } from './auth-layout.tsx';

interface CheckYourMailProps {
  address: string;
  onBack: () => void;
  /** Purpose of the link in the mail. */
  children: ReactNode;
}

/** Shown after a mail was asked for. It says the same whether the address is known or not. */
export function CheckYourMail({ address, onBack, children }: CheckYourMailProps) {
  return (
    <AuthLayout title="Check your email" description="It can take a minute. Look in the spam folder too.">
      <div role="status" className="grid gap-2 rounded-lg border border-line bg-surface p-6">
        <p>
          If there is an account for <strong className="[overflow-wrap:anywhere]">{address}</strong>, a message is on
          its way.
        </p>
        <p className="text-muted">{children}</p>
      </div>
      <Button variant="secondary" onClick={onBack}>
        Back to sign in
      </Button>
    </AuthLayout>
  );
}
