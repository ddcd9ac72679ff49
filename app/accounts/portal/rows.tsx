import type { ReactNode } from 'react';
import { Button } from '../../ui/button.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';

interface RowsPlaceholderProps {
  /** Subject of the error message, such as 'The sessions'. */
  subject: string;
  query: { data: unknown; error: Error | null; refetch: () => Promise<unknown> };
}

/** Shows a placeholder while a list is loading, or an error with a retry button. */
export function RowsPlaceholder({ subject, query: { data, error, refetch } }: RowsPlaceholderProps) {
  if (error) {
    return (
      <p role="alert" className="flex flex-wrap items-center gap-3 text-danger">
        {subject} could not be loaded.
        <Button variant="secondary" size="sm" onClick={() => void refetch()}>
          Try again
        </Button>
      </p>
    );
  }
  if (data !== undefined) return null;
  return (
    <div aria-busy="true">
      <p className="sr-only">Loading...</p>
      <Skeleton className="h-16" />
    </div>
  );
}

interface RowProps {
  icon?: ReactNode;
  title: ReactNode;
  detail: ReactNode;
  /** Buttons at the end of the row. */
  children: ReactNode;
}

/** Row in a list on the account page. */
export function Row({ icon, title, detail, children }: RowProps) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 py-3">
      <div className="flex min-w-0 flex-1 basis-48 items-center gap-3">
        {icon}
        <div className="min-w-0">
          <div className="flex flex-wrap items-center gap-2 font-medium [overflow-wrap:anywhere]">{title}</div>
          <p className="text-sm text-muted [overflow-wrap:anywhere]">{detail}</p>
        </div>
      </div>
      <div className="flex flex-wrap gap-2">{children}</div>
    </li>
  );
}

export const ROWS_CLASS = 'grid divide-y divide-line outline-none';

/** Row button whose accessible name includes the row's name. */
export function RowButton({ action, name, onClick }: { action: string; name: string; onClick: () => void }) {
  return (
    <Button variant="secondary" size="sm" aria-label={`${action} ${name}`} onClick={onClick}>
      {action}
    </Button>
  );
}
