import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { buttonClass } from '../ui/button.tsx';

/** Centred column as wide as an email. */
export const LINKED_PAGE_CLASS = 'page-grid grid max-w-150 grid-cols-1 content-start gap-6 py-[clamp(2rem,5vw,4rem)]';

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
  return <div className="grid justify-items-start gap-4 rounded-md bg-sunken p-5 font-medium">{children}</div>;
}
