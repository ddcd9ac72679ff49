import { useEffect } from 'react';
import { markHydrated } from '../ui/lib/hydrated.ts';
import { Skeleton } from '../ui/skeleton.tsx';

/** Placeholder while the session is loading. */
export function PortalLoading() {
  useEffect(markHydrated, []);
  return (
    <div className="page-grid grid content-start gap-4 py-8" aria-busy="true">
      <div role="status" className="sr-only">
        <h1>Loading...</h1>
      </div>
      <Skeleton className="h-11 w-2/3 max-w-md" />
      <Skeleton className="h-96" />
    </div>
  );
}
