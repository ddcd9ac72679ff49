import { queryOptions } from '@tanstack/react-query';
import { publicApi } from '../data/api.ts';
import { sortingOf } from '../data/read-published.ts';
import type { ContentKind, ContentRow } from './kind.ts';

/** A page of one published item. */
export interface PublicPlace {
  path: string;
  changedAt: string;
}

/** The pages of the published items of a kind, in the order of its lists; none for a kind whose items have no page. */
export function publicPlacesQuery(kind: ContentKind) {
  return queryOptions({
    queryKey: [kind.table, 'public places'],
    queryFn: async ({ signal }): Promise<PublicPlace[]> => {
      if (!kind.publicPath) return [];
      let request = (await publicApi()).from(kind.table).select(kind.listColumns.join(',')).eq('status', 'published');
      for (const { column, ascending } of sortingOf(kind.listOrder)) request = request.order(column, { ascending });
      const { data } = await request.abortSignal(signal).throwOnError().overrideTypes<ContentRow[], { merge: false }>();
      return data.flatMap((row) => {
        const path = kind.publicPath?.(row);
        return path ? [{ path, changedAt: kind.changedAt?.(row) ?? row.updated_at }] : [];
      });
    },
  });
}
