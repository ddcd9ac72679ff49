import { Skeleton } from '../../ui/skeleton.tsx';

/** Stands for what a client's people see, and keeps what comes below it out of sight: it would jump otherwise. */
export function ClientLoading() {
  return (
    <div className="grid min-h-svh content-start gap-4 text-muted">
      <p role="status">Loading campaigns...</p>
      <Skeleton className="h-28 rounded-lg" />
      <Skeleton className="h-96 rounded-lg" />
    </div>
  );
}
