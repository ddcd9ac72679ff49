import type { Announcements, UniqueIdentifier } from '@dnd-kit/core';

/** Screen reader announcements for reordering, with titles and positions. */
export function dragAnnouncements(items: readonly { id: string; title: string }[]): Announcements {
  const title = (id: UniqueIdentifier) => items.find((item) => item.id === id)?.title ?? 'The item';
  const position = (id: UniqueIdentifier | undefined) =>
    `position ${items.findIndex((item) => item.id === id) + 1} of ${items.length}`;
  return {
    onDragStart: ({ active }) => `${title(active.id)} is picked up at ${position(active.id)}.`,
    onDragOver: ({ active, over }) => (over ? `${title(active.id)} is over ${position(over.id)}.` : undefined),
    onDragEnd: ({ active, over }) => `${title(active.id)} is dropped at ${position(over?.id ?? active.id)}.`,
    onDragCancel: ({ active }) => `${title(active.id)} is back at ${position(active.id)}.`,
  };
}
