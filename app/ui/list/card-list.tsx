import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { LoadError } from '../load-error.tsx';
import { Pagination } from '../pagination.tsx';
import { LoadingRows } from './loading-rows.tsx';
import { ROWS_CLASS } from './rows-class.ts';

/**
 * Class of the link that a press anywhere on its row follows. What else can be pressed there stands above it: `relative
 * z-1`.
 */
export const ROW_LINK_CLASS = 'rounded-sm after:absolute after:inset-0 after:rounded-[inherit]';

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
  /** Stands there when the list has nothing in it. */
  empty: ReactNode;
  /** Draws one item, without a frame and room of its own. */
  children: (item: Item) => ReactNode;
}

/**
 * A list on one card, a row for each item, with its other faces: on its way, failed with a way to try again, empty, and
 * the way to its other pages.
 */
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
