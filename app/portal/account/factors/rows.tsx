import { Button } from '../../../ui/button.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';

/** Stands for a list that loads. */
export function LoadingRows() {
  return (
    <div aria-busy="true">
      <p className="sr-only">Loading...</p>
      <Skeleton className="h-16" />
    </div>
  );
}

/** Stands for a list that could not be read. */
export function NotLoaded({ what, onRetry }: { what: string; onRetry: () => void }) {
  return (
    <p role="alert" className="flex flex-wrap items-center gap-3 text-danger">
      {what} could not be loaded.
      <Button variant="secondary" size="sm" onClick={onRetry}>
        Try again
      </Button>
    </p>
  );
}
