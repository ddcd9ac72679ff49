import { type KeyboardEventHandler, type ReactNode, useId } from 'react';
import { Card } from '../../ui/card.tsx';
import { LoadError } from '../../ui/load-error.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';

interface PanelProps {
  heading: string;
  /** Leads to the whole list. */
  more?: ReactNode;
  /** The rows; undefined while they load. */
  rows: ReactNode[] | undefined;
  error: Error | null;
  onRetry: () => void;
  /** Stands in place of the rows where there are none. */
  none: string;
  /** Hears the keys that are pressed in the rows. */
  onKeyDown?: KeyboardEventHandler<HTMLUListElement>;
}

/** A short list of the dashboard under its heading. */
export function Panel({ heading, more, rows, error, onRetry, none, onKeyDown }: PanelProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="grid grid-cols-1 content-start gap-3">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <h2 id={id} tabIndex={-1} className="text-lg font-semibold">
          {heading}
        </h2>
        {more}
      </div>
      {error && !rows && <LoadError error={error} onRetry={onRetry} />}
      {!rows && !error && (
        <div aria-busy="true">
          <p className="sr-only">Loading...</p>
          <Skeleton className="h-40" />
        </div>
      )}
      {rows?.length === 0 && <Card className="p-5 text-muted">{none}</Card>}
      {rows && rows.length > 0 && (
        <Card className="overflow-hidden p-0">
          <ul className="divide-y divide-line" onKeyDown={onKeyDown}>
            {rows}
          </ul>
        </Card>
      )}
    </section>
  );
}

/** Classes of a row that leads somewhere. */
export const ROW_LINK =
  'flex min-h-11 items-center gap-x-4 px-5 py-2 transition-colors duration-150 hover:bg-sunken focus-visible:-outline-offset-2';
