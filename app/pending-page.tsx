import { useEffect } from 'react';
import { markHydrated } from './ui/lib/hydrated.ts';
import { Spinner } from './ui/spinner.tsx';

/** Placeholder for slow pages. */
export function PendingPage() {
  useEffect(markHydrated, []);
  return (
    <div className="grid min-h-[60svh] place-items-center text-3xl text-muted">
      <Spinner label="Loading..." />
    </div>
  );
}
