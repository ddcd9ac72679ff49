import type { ReactNode } from 'react';
import { Skeleton } from '../../ui/skeleton.tsx';

/** Placeholder that keeps content below the fold to prevent a layout shift. */
export function ClientLoading() {
  return (
    <div className="grid min-h-svh content-start gap-4 text-muted">
      <p role="status">Loading campaigns...</p>
      <Skeleton className="h-28 rounded-lg" />
      <Skeleton className="h-96 rounded-lg" />
    </div>
  );
}

/** Placeholder for a report, with the height of the fields above its sheet. */
export function ReportLoading({ sheet }: { sheet: (content: ReactNode) => ReactNode }) {
  return (
    <>
      <Skeleton className="h-18 w-full max-w-3xl rounded-md print:hidden" />
      {sheet(<ClientLoading />)}
    </>
  );
}
