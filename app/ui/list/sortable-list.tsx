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
  SortableContext,
  sortableKeyboardCoordinates,
  useSortable,
  verticalListSortingStrategy,
} from '@dnd-kit/sortable';
import { clsx } from 'clsx';
import { GripVertical } from 'lucide-react';
import type { ReactNode, Ref } from 'react';
import { dragAnnouncements } from './drag-announcements.ts';
import { ROWS_CLASS } from './rows-class.ts';

interface SortableListProps<Item> {
  ref?: Ref<HTMLOListElement>;
  items: readonly Item[];
  onMove: (from: number, to: number) => void;
  className?: string;
  /** Renders a row with its drag handle. */
  children: (item: Item, handle: ReactNode, index: number) => ReactNode;
}

/** Sortable rows, by pointer or by Space and arrow keys. */
export function SortableList<Item extends { id: string; title: string }>(props: SortableListProps<Item>) {
  const { ref, items, onMove, className = ROWS_CLASS, children } = props;
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 4 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  );
  const onDragEnd = ({ active, over }: DragEndEvent) => {
    const from = items.findIndex(({ id }) => id === active.id);
    const to = items.findIndex(({ id }) => id === over?.id);
    if (from !== -1 && to !== -1 && from !== to) onMove(from, to);
  };
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      onDragEnd={onDragEnd}
      accessibility={{ announcements: dragAnnouncements(items) }}
    >
      <SortableContext items={[...items]} strategy={verticalListSortingStrategy}>
        <ol ref={ref} className={className}>
          {items.map((item, index) => (
            <SortableRow key={item.id} id={item.id} title={item.title}>
              {(handle) => children(item, handle, index)}
            </SortableRow>
          ))}
        </ol>
      </SortableContext>
    </DndContext>
  );
}

interface SortableRowProps {
  id: string;
  title: string;
  children: (handle: ReactNode) => ReactNode;
}

function SortableRow({ id, title, children }: SortableRowProps) {
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
      className="relative z-1 grid size-8 shrink-0 cursor-grab touch-none place-items-center rounded-sm text-muted hover:bg-line/60 hover:text-ink active:cursor-grabbing"
    >
      <GripVertical aria-hidden="true" className="size-4" />
    </button>
  );
  return (
    <li
      ref={setNodeRef}
      style={{ transform: transform ? `translate3d(0, ${transform.y}px, 0)` : undefined, transition }}
      className={clsx(
        'bg-surface first:rounded-t-[inherit] last:rounded-b-[inherit]',
        isDragging && 'relative z-10 rounded-md shadow-lg',
      )}
    >
      {children(handle)}
    </li>
  );
}
