import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { LoadError } from '../load-error.tsx';
import { Pagination } from '../pagination.tsx';
import { LoadingRows } from './loading-rows.tsx';
import { ROWS_CLASS } from './rows-class.ts';

/** Class of a link that covers its row. Other controls in the row need `relative z-1`. */
export const ROW_LINK_CLASS = 'rounded-sm after:absolute after:inset-0 after:rounded-[inherit]';

interface CardListProps<Item> {
  /** Query for all items, or for one page with the total. */
  query: Pick<
    UseQueryResult<readonly Item[] | { items: Item[]; count: number }>,
    'data' | 'error' | 'isPending' | 'refetch'
  >;
  /** Current page of a paginated list. */
  page?: number;
  /** Column titles above the first row. Hidden from assistive technology, so each row must name its values. */
  columns?: ReactNode;
  /** Shown and announced while loading. */
  loading: string;
  /** Shown if the list is empty. */
  empty: ReactNode;
  /** Renders an item without frame and padding. */
  children: (item: Item) => ReactNode;
}

/** List on a card, with loading, error and empty states and pagination. */
export function CardList<Item extends { id: string }>({ query, page, ...props }: CardListProps<Item>) {
  const { data, error, isPending, refetch } = query;
  const items = data && ('items' in data ? data.items : data);
  return (
    <>
      {isPending && <LoadingRows text={props.loading} />}
      {error && <LoadError error={error} onRetry={() => void refetch()} />}
      {items?.length === 0 && <div>{props.empty}</div>}
      {items && items.length > 0 && (
        <ul className={ROWS_CLASS}>
          {props.columns && (
            <li aria-hidden="true" className="hidden px-5 py-2 font-mono text-label text-muted xl:block">
              {props.columns}
            </li>
          )}
          {items.map((item) => (
            <li
              key={item.id}
              className="relative px-4 py-3 first:rounded-t-[inherit] last:rounded-b-[inherit] has-[h2>a]:hover:bg-sunken sm:px-5 [&_h2]:text-wrap"
            >
              {props.children(item)}
            </li>
          ))}
        </ul>
      )}
      {data && 'count' in data && page !== undefined && <Pagination page={page} count={data.count} />}
    </>
  );
}
