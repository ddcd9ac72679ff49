import { arrayMove } from '@dnd-kit/sortable';
import type { ReactNode } from 'react';
import { useState } from 'react';
import { SortableList } from '../../ui/list/sortable-list.tsx';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import { type ListItem, reorderMutation } from '../editing.ts';
import { type ContentKind, hasManualOrder } from '../kind.ts';

/** Class of the list of rows, which shares its frame with the header above. */
const ROWS_CLASS = 'divide-y divide-line rounded-b-lg';

interface SortableRowsProps {
  kind: ContentKind;
  items: ListItem[];
  /** False for filtered lists, which cannot be reordered. */
  isComplete: boolean;
  /** Renders a row with its drag handle. */
  children: (item: ListItem, handle: ReactNode) => ReactNode;
}

/** Rows that can be dragged if the order is manual. */
export function SortableRows({ kind, items, isComplete, children }: SortableRowsProps) {
  const reorder = useMutationWithToasts(reorderMutation(kind), {
    success: kind.toasts.updated,
    failure: kind.toasts.updateFailed,
  });
  const [optimisticOrder, setOptimisticOrder] = useState<{ from: ListItem[]; order: ListItem[] } | null>(null);
  // Optimistic order until the list has been refetched.
  const visibleItems = optimisticOrder?.from === items ? optimisticOrder.order : items;

  if (!isComplete || !hasManualOrder(kind)) {
    return (
      <ol className={ROWS_CLASS}>
        {items.map((item) => (
          <li key={item.id} className="last:rounded-b-[inherit]">
            {children(item, null)}
          </li>
        ))}
      </ol>
    );
  }

  const onMove = (from: number, to: number) => {
    const order = arrayMove(visibleItems, from, to);
    setOptimisticOrder({ from: items, order });
    reorder.mutate(
      order.map(({ id }) => id),
      { onError: () => setOptimisticOrder(null) },
    );
  };
  return (
    <SortableList items={visibleItems} onMove={onMove} className={ROWS_CLASS}>
      {children}
    </SortableList>
  );
}
