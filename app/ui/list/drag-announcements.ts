import type { Announcements, UniqueIdentifier } from '@dnd-kit/core';

/** Screen reader announcements for reordering, with titles and positions. */
export function dragAnnouncements(items: readonly { id: string; title: string }[]): Announcements {
  const title = (id: UniqueIdentifier) => items.find((item) => item.id === id)?.title ?? 'The item';
  const place = (id: UniqueIdentifier | undefined) =>
    `place ${items.findIndex((item) => item.id === id) + 1} of ${items.length}`;
  return {
    onDragStart: ({ active }) => `${title(active.id)} is picked up, ${place(active.id)}.`,
    onDragOver: ({ active, over }) => (over ? `${title(active.id)} is over ${place(over.id)}.` : undefined),
    onDragEnd: ({ active, over }) => `${title(active.id)} is dropped at ${place(over?.id ?? active.id)}.`,
    onDragCancel: ({ active }) => `${title(active.id)} is back at ${place(active.id)}.`,
  };
}
