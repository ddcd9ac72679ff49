import { type KeyboardEventHandler, type ReactNode, type RefObject, useId } from 'react';
import { Card } from '../../ui/card.tsx';
import { LoadError } from '../../ui/load-error.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';

interface PanelProps {
  heading: string;
  /** Receives the focus when the last row is removed. */
  headingRef?: RefObject<HTMLHeadingElement | null> | undefined;
  /** Shown beside the heading, such as a link to the full list. */
  more?: ReactNode;
  /** Undefined while loading. */
  rows: ReactNode[] | undefined;
  error: Error | null;
  onRetry: () => void;
  /** Shown if there are no rows. Omitted by panels that are then hidden. */
  emptyText?: string;
  /** Handles key presses in the rows. */
  onKeyDown?: KeyboardEventHandler<HTMLUListElement>;
}

/** Renders a short list with a heading, and its loading, error and empty states. */
export function Panel({ heading, headingRef, more, rows, error, onRetry, emptyText, onKeyDown }: PanelProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="grid grid-cols-1 content-start gap-3">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <h2 ref={headingRef} id={id} tabIndex={-1} className="text-lg font-semibold">
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
      {rows?.length === 0 && <Card className="p-5 text-muted">{emptyText}</Card>}
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

/** Classes of a row with a link. */
export const ROW_LINK =
  'flex min-h-14 items-center gap-x-4 px-5 py-1.5 transition-colors duration-150 hover:bg-sunken focus-visible:-outline-offset-2';
