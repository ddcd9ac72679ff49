import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { formatTime } from '../../ui/lib/format-time.ts';
import { LoadError } from '../../ui/load-error.tsx';
import { Pagination } from '../../ui/pagination.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { figureEventsQuery, type SourceFigure } from './figures.ts';

/** Lists the source events counted in a figure. Loads them when expanded. */
export function FigureEvents({ figure }: { figure: SourceFigure }) {
  const [isOpen, setOpen] = useState(false);
  const [page, setPage] = useState(1);
  const { data, error, isPending, refetch } = useQuery({ ...figureEventsQuery(figure, page), enabled: isOpen });
  return (
    <div className="col-span-2 grid grid-cols-1 gap-2">
      <Button
        variant="link"
        className="justify-self-start text-sm"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {isOpen ? 'Hide the events' : 'Show the events'}
      </Button>
      {isOpen && isPending && <Skeleton className="h-16 rounded-md" />}
      {isOpen && error && <LoadError error={error} onRetry={() => void refetch()} />}
      {isOpen && data && (
        <ul aria-label="Events" className="grid grid-cols-1 gap-1 rounded-md bg-sunken px-4 py-3 text-sm">
          {data.items.map(({ happened_at, kind, hint }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: events have no id, and two of them may be equal
            <li key={index} className="flex flex-wrap justify-between gap-x-4">
              <span className="[overflow-wrap:anywhere]">{hint || kind}</span>
              <span className="text-muted tabular-nums">{formatTime(happened_at)}</span>
            </li>
          ))}
        </ul>
      )}
      {isOpen && <Pagination page={page} count={data?.count} onPageChange={setPage} />}
    </div>
  );
}
