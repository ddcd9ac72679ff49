import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { LoadError } from '../../ui/load-error.tsx';
import { Pagination } from '../../ui/pagination.tsx';
import { LoadingCards } from './loading-cards.tsx';

interface CardListProps<Item> {
  /** Reads all items, or one page of them with the number of all. */
  query: Pick<
    UseQueryResult<readonly Item[] | { items: Item[]; count: number }>,
    'data' | 'error' | 'isPending' | 'refetch'
  >;
  /** Page that is shown, of a list that has pages. */
  page?: number;
  /** Text that is read out and shown while the list is on its way. */
  loading: string;
  /** Class of the height of one card. */
  height: string;
  /** Stands there when the list has nothing in it. */
  empty: ReactNode;
  /** Draws the card of one item. */
  children: (item: Item) => ReactNode;
}

/** A list with its other faces: on its way, failed with a way to try again, empty, and the way to its other pages. */
export function CardList<Item extends { id: string }>({ query, page, ...props }: CardListProps<Item>) {
  const { data, error, isPending, refetch } = query;
  const items = data && ('items' in data ? data.items : data);
  return (
    <>
      {isPending && <LoadingCards text={props.loading} height={props.height} />}
      {error && <LoadError error={error} onRetry={() => void refetch()} />}
      {items?.length === 0 && props.empty}
      {items && items.length > 0 && (
        <ul className="grid grid-cols-1 gap-3">
          {items.map((item) => (
            <li key={item.id}>{props.children(item)}</li>
          ))}
        </ul>
      )}
      {data && 'count' in data && page !== undefined && <Pagination page={page} count={data.count} />}
    </>
  );
}
