import { listQuery } from '../../data/editing.ts';
import type { AnyRow, ContentScreen } from './screen.ts';

const SHOWN = 5;

/** The first items of a kind that match, for the command palette. */
export function paletteQuery(screen: ContentScreen, search: string) {
  return {
    ...listQuery(screen.kind, { page: 1, search }),
    select: ({ items }: { items: unknown[] }) => items.slice(0, SHOWN) as AnyRow[],
  };
}
