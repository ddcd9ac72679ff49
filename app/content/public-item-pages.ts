import { queryOptions } from '@tanstack/react-query';
import { publicApi } from '../api/visitor-api.ts';
import type { ContentKind, ContentRow } from './kind.ts';

/** Public page of an item. */
export interface PublicItemPage {
  path: string;
  changedAt: string;
}

/** Maximum number of rows in a REST API response. */
const PAGES_PER_PART = 1000;

/**
 * Lists the public pages of a kind in parts of 1,000. The oldest are first, so a full part never gets new entries.
 * Empty for kinds whose items have no page.
 *
 * @param part 1-based
 */
export function publicItemPagesQuery(kind: ContentKind, part: number) {
  return queryOptions({
    queryKey: [kind.table, 'public item pages', part],
    queryFn: async ({ signal }): Promise<PublicItemPage[]> => {
      if (!kind.publicPath) return [];
      const { data } = await (await publicApi())
        .from(kind.table)
        .select(kind.listColumns.join(','))
        .eq('status', 'published')
        .order('created_at')
        .order('id')
        .range((part - 1) * PAGES_PER_PART, part * PAGES_PER_PART - 1)
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

/** Reads the number of sitemap parts by table name. Kinds without published items are omitted. */
export const sitemapPartsQuery = queryOptions({
  queryKey: ['public item pages', 'parts'],
  queryFn: async ({ signal }): Promise<ReadonlyMap<string, number>> => {
    const api = await publicApi();
    const { data } = await api.rpc('sitemap_parts', undefined, { get: true }).abortSignal(signal).throwOnError();
    return new Map(data.map(({ kind, parts }) => [kind, parts]));
  },
});
