import { useEffect } from 'react';
import { noteHydrated } from '../ui/lib/hydrated.ts';
import { Skeleton } from '../ui/skeleton.tsx';

/** Placeholder while the session is loading. */
export function PortalLoading() {
  useEffect(noteHydrated, []);
  return (
    <div className="page-grid grid content-start gap-8 py-16" aria-busy="true">
      <div role="status" className="sr-only">
        <h1>Loading...</h1>
      </div>
      <Skeleton className="h-12 w-2/3 max-w-md" />
      <div className="grid gap-6 sm:grid-cols-2 lg:grid-cols-3">
        <Skeleton className="h-44" />
        <Skeleton className="h-44" />
        <Skeleton className="h-44" />
      </div>
    </div>
  );
}
