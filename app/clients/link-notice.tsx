import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { buttonClass } from '../ui/button.tsx';

/** Link to the portal. */
export function DashboardLink() {
  return (
    <Link to="/client-dashboard" className={buttonClass({ variant: 'primary' })}>
      Go to your dashboard
    </Link>
  );
}

/** Highlighted notice above the content. */
export function Notice({ children }: { children: ReactNode }) {
  return (
    <div className="grid max-w-2xl justify-items-start gap-4 rounded-md bg-sunken p-5 font-medium">{children}</div>
  );
}
