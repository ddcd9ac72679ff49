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
