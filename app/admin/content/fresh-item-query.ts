import { itemQuery } from '../../data/editing.ts';
import type { AnyRow, ContentScreen } from './screen.ts';

/**
 * An item for a form: always read anew when the form opens, so that its version is the current one, and never again
 * while somebody edits.
 */
export function freshItemQuery(screen: ContentScreen, id: string) {
  return {
    queryKey: ['editing', screen.kind.table, id],
    queryFn: itemQuery(screen.kind, id).queryFn,
    select: (row: unknown) => row as AnyRow | null,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  };
}
