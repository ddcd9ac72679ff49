import { listQuery } from '../../data/editing.ts';
import type { ListSearch } from './list-search.ts';
import type { ContentScreen } from './screen.ts';

/** The page of a list that an address asks for. */
export function screenListQuery(screen: ContentScreen, { q, status, page = 1 }: ListSearch) {
  return listQuery(screen.kind, { page, search: q, status });
}
