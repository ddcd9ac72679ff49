import { queryOptions } from '@tanstack/react-query';
import { publicApi } from '../api/visitor-api.ts';
import type { ContentKind, ContentRow } from './kind.ts';

/** A page of one published item. */
export interface PublicPlace {
  path: string;
  changedAt: string;
}

/** Number of rows in one answer of the table API. */
const PLACES_AT_ONCE = 1000;

/**
 * Reads the pages of the published items of a kind, 1,000 at once, the oldest first, so that a part that is full stays
 * as it is; none for a kind whose items have no page.
 * @param part from 1
 */
export function publicPlacesQuery(kind: ContentKind, part: number) {
  return queryOptions({
    queryKey: [kind.table, 'public places', part],
    queryFn: async ({ signal }): Promise<PublicPlace[]> => {
      if (!kind.publicPath) return [];
      const { data } = await (await publicApi())
        .from(kind.table)
        .select(kind.listColumns.join(','))
        .eq('status', 'published')
        .order('created_at')
        .order('id')
        .range((part - 1) * PLACES_AT_ONCE, part * PLACES_AT_ONCE - 1)
        .abortSignal(signal)
        .throwOnError()
        .overrideTypes<ContentRow[], { merge: false }>();
      return data.flatMap((row) => {
        const path = kind.publicPath?.(row);
        return path ? [{ path, changedAt: kind.changedAt?.(row) ?? row.updated_at }] : [];
      });
    },
  });
}

/** Counts such parts of each kind, by its table; a kind without published items is missing. */
export const publicPartsQuery = queryOptions({
  queryKey: ['public places', 'parts'],
  queryFn: async ({ signal }): Promise<ReadonlyMap<string, number>> => {
    const api = await publicApi();
    const { data } = await api.rpc('sitemap_parts', undefined, { get: true }).abortSignal(signal).throwOnError();
    return new Map(data.map(({ kind, parts }) => [kind, parts]));
  },
});
