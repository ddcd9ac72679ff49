import { arrayMove } from '@dnd-kit/sortable';
import type { ReactNode } from 'react';
import { useState } from 'react';
import { SortableList } from '../../ui/list/sortable-list.tsx';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import { type ListItem, reorderMutation } from '../editing.ts';
import { type ContentKind, isOrderedByPeople } from '../kind.ts';

/** Below the head of the list, in the same frame. */
const ROWS_CLASS = 'divide-y divide-line rounded-b-lg';

interface SortableRowsProps {
  kind: ContentKind;
  items: ListItem[];
  /** Only a whole list can be put in order, not the result of a search. */
  isWhole: boolean;
  /** Draws a row; the handle is what it is dragged by. */
  children: (item: ListItem, handle: ReactNode) => ReactNode;
}

/** The rows of a list, in an order that people change where they choose it. */
export function SortableRows({ kind, items, isWhole, children }: SortableRowsProps) {
  const reorder = useMutationWithToasts(reorderMutation(kind), {
    success: kind.toasts.updated,
    failure: kind.toasts.updateFailed,
  });
  const [dropped, setDropped] = useState<{ from: ListItem[]; order: ListItem[] } | null>(null);
  // The new order is shown at once, until the list has been read again.
  const shown = dropped?.from === items ? dropped.order : items;

  if (!isWhole || !isOrderedByPeople(kind)) {
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
    const order = arrayMove(shown, from, to);
    setDropped({ from: items, order });
    reorder.mutate(
      order.map(({ id }) => id),
      { onError: () => setDropped(null) },
    );
  };
  return (
    <SortableList items={shown} onMove={onMove} className={ROWS_CLASS}>
      {children}
    </SortableList>
  );
}
