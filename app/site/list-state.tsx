import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { Skeleton } from '../ui/skeleton.tsx';

interface ListStateProps<Item> {
  query: Pick<UseQueryResult, 'isError' | 'isFetching' | 'refetch'> & { data: Item[] | undefined };
  /** Loading text, also announced to screen readers. */
  loading: string;
  empty: { title: string; description: string };
  children: (items: Item[]) => ReactNode;
}

/** Renders a list with its loading, error and empty states. */
export function ListState<Item>({ query, loading, empty, children }: ListStateProps<Item>) {
  if (query.data) return query.data.length > 0 ? children(query.data) : <EmptyState {...empty} />;
  if (query.isError) {
    return (
      <div role="alert" className="grid justify-items-start gap-4 rounded-lg border border-line bg-surface p-8">
        <p className="font-semibold">This could not be loaded.</p>
        <p className="text-muted">There may be a problem with your connection or our server. Please try again.</p>
        <Button variant="secondary" loading={query.isFetching} onClick={() => query.refetch()}>
          Try again
        </Button>
      </div>
    );
  }
  return (
    <div className="grid gap-6">
      <p role="status" className="font-mono text-label text-muted">
        {loading}
      </p>
      <div className="grid gap-6 md:grid-cols-3">
        <Skeleton className="h-72" />
        <Skeleton className="h-72" />
        <Skeleton className="h-72" />
      </div>
    </div>
  );
}
