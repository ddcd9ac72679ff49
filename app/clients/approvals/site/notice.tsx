import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { buttonClass } from '../../../ui/button.tsx';

/** Leads to where all that waits stands. */
export function ToDashboard() {
  return (
    <Link to="/client-dashboard" className={buttonClass({ variant: 'primary' })}>
      Go to your dashboard
    </Link>
  );
}

/** A box for what is to be known before anything else. */
export function Notice({ children }: { children: ReactNode }) {
  return (
    <div className="grid max-w-2xl justify-items-start gap-4 rounded-md bg-sunken p-5 font-medium">{children}</div>
  );
}
