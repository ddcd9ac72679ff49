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
import { useMutation } from '@tanstack/react-query';
import { GripVertical } from 'lucide-react';
import type { ReactNode } from 'react';
import { useState } from 'react';
import { reorderMutation } from '../../data/editing.ts';
import { toast } from '../../ui/toast.ts';
import { messageOf } from '../form/message-of.ts';
import { dragAnnouncements } from './drag-announcements.ts';
import { type AnyRow, type ContentScreen, capitalized, titleOf } from './screen.ts';

interface SortableCardsProps {
  screen: ContentScreen;
  items: AnyRow[];
  /** Only a whole list can be put in order, not the result of a search. */
  enabled: boolean;
  /** Draws a card; the handle is what it is dragged by. */
  children: (item: AnyRow, handle: ReactNode) => ReactNode;
}

/** The cards of a list, dragged into order with a pointer or by Space and the arrow keys. */
export function SortableCards({ screen, items, enabled, children }: SortableCardsProps) {
  const reorder = useMutation(reorderMutation(screen.kind));
  const [dropped, setDropped] = useState<{ from: AnyRow[]; order: AnyRow[] } | null>(null);
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 4 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  );
  // The new order is shown at once, until the list has been read again.
  const shown = dropped?.from === items ? dropped.order : items;

  if (!enabled) {
    return (
      <ul className="grid grid-cols-1 gap-3">
        {items.map((item) => (
          <li key={item.id}>{children(item, null)}</li>
        ))}
      </ul>
    );
  }

  const onDragEnd = async ({ active, over }: DragEndEvent) => {
    const from = shown.findIndex(({ id }) => id === active.id);
    const to = shown.findIndex(({ id }) => id === over?.id);
    if (from === -1 || to === -1 || from === to) return;
    const order = arrayMove(shown, from, to);
    setDropped({ from: items, order });
    try {
      await reorder.mutateAsync(order.map(({ id }) => id));
      toast.success(`${capitalized(screen.one)} updated successfully`);
    } catch (error) {
      setDropped(null);
      toast.error(`Error updating ${screen.one}`, messageOf(error));
    }
  };
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      onDragEnd={(event) => void onDragEnd(event)}
      accessibility={{
        announcements: dragAnnouncements(shown.map((item) => ({ id: item.id, title: titleOf(screen, item) }))),
      }}
    >
      <SortableContext items={shown} strategy={verticalListSortingStrategy}>
        <ul className="grid grid-cols-1 gap-3">
          {shown.map((item) => (
            <SortableCard key={item.id} id={item.id} title={titleOf(screen, item)}>
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
