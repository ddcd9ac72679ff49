import {
  closestCenter,
  DndContext,
  type DragEndEvent,
  KeyboardSensor,
  PointerSensor,
  useSensor,
  useSensors,
} from '@dnd-kit/core';
import {
  arrayMove,
  SortableContext,
  sortableKeyboardCoordinates,
  useSortable,
  verticalListSortingStrategy,
} from '@dnd-kit/sortable';
import { GripVertical } from 'lucide-react';
import type { ReactNode } from 'react';
import { useState } from 'react';
import { type ListItem, reorderMutation } from '../../content/editing.ts';
import { type ContentKind, isOrderedByPeople } from '../../content/kind.ts';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import { dragAnnouncements } from './drag-announcements.ts';

interface SortableCardsProps {
  kind: ContentKind;
  items: ListItem[];
  /** Only a whole list can be put in order, not the result of a search. */
  isWhole: boolean;
  /** Draws a card; the handle is what it is dragged by. */
  children: (item: ListItem, handle: ReactNode) => ReactNode;
}

/** The cards of a list, dragged into order with a pointer or by Space and the arrow keys. */
export function SortableCards({ kind, items, isWhole, children }: SortableCardsProps) {
  const reorder = useMutationWithToasts(reorderMutation(kind), {
    success: kind.toasts.updated,
    failure: kind.toasts.updateFailed,
  });
  const [dropped, setDropped] = useState<{ from: ListItem[]; order: ListItem[] } | null>(null);
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 4 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  );
  // The new order is shown at once, until the list has been read again.
  const shown = dropped?.from === items ? dropped.order : items;

  if (!isWhole || !isOrderedByPeople(kind)) {
    return (
      <ul className="grid grid-cols-1 gap-3">
        {items.map((item) => (
          <li key={item.id}>{children(item, null)}</li>
        ))}
      </ul>
    );
  }

  const onDragEnd = ({ active, over }: DragEndEvent) => {
    const from = shown.findIndex(({ id }) => id === active.id);
    const to = shown.findIndex(({ id }) => id === over?.id);
    if (from === -1 || to === -1 || from === to) return;
    const order = arrayMove(shown, from, to);
    setDropped({ from: items, order });
    reorder.mutate(
      order.map(({ id }) => id),
      { onError: () => setDropped(null) },
    );
  };
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      onDragEnd={onDragEnd}
      accessibility={{ announcements: dragAnnouncements(shown) }}
    >
      <SortableContext items={shown} strategy={verticalListSortingStrategy}>
        <ul className="grid grid-cols-1 gap-3">
          {shown.map((item) => (
            <SortableCard key={item.id} id={item.id} title={item.title}>
              {(handle) => children(item, handle)}
            </SortableCard>
          ))}
        </ul>
      </SortableContext>
    </DndContext>
  );
}

interface SortableCardProps {
  id: string;
  title: string;
  children: (handle: ReactNode) => ReactNode;
}

function SortableCard({ id, title, children }: SortableCardProps) {
  const { setNodeRef, setActivatorNodeRef, attributes, listeners, transform, transition, isDragging } = useSortable({
    id,
  });
  const handle = (
    <button
      type="button"
      ref={setActivatorNodeRef}
      {...attributes}
      {...listeners}
      aria-label={`Move ${title}`}
      className="-ml-2 grid size-8 shrink-0 cursor-grab touch-none place-items-center rounded-sm text-muted hover:bg-sunken hover:text-ink active:cursor-grabbing"
    >
      <GripVertical aria-hidden="true" className="size-4" />
    </button>
  );
  return (
    <li
      ref={setNodeRef}
      style={{ transform: transform ? `translate3d(0, ${transform.y}px, 0)` : undefined, transition }}
      className={isDragging ? 'relative z-10 rounded-lg shadow-lg' : undefined}
    >
      {children(handle)}
    </li>
  );
}
