import type { ReactNode } from 'react';
import { Button } from '../../ui/button.tsx';
import { AuthLayout } from './auth-layout.tsx';

interface CheckYourMailProps {
  address: string;
  onBack: () => void;
  /** Explains the link in the email. */
  children: ReactNode;
}

/** Confirmation after an email was requested. The text does not reveal whether the address is registered. */
export function CheckYourMail({ address, onBack, children }: CheckYourMailProps) {
  return (
    <AuthLayout title="Check your email" description="It may take a minute. Check your spam folder too.">
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
