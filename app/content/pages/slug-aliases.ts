import { queryOptions } from '@tanstack/react-query';
import { publicApi } from '../../api/visitor-api.ts';

/** New address of an item whose address was public once. */
export interface Moved {
  /** Its present slug, or null when it is not public any more. */
  to: string | null;
}

/** Reads where the item went that once had a slug of that kind; null when no public item ever had it. */
export function movedItemQuery(kind: 'posts' | 'projects', slug: string) {
  return queryOptions({
    queryKey: [kind, 'moved', slug],
    queryFn: async ({ signal }): Promise<Moved | null> => {
      const api = await publicApi();
      const { data: aliases } = await api
        .from('slug_aliases')
        .select('item_id')
        .eq('kind', kind)
        .eq('slug', slug)
        .abortSignal(signal)
        .throwOnError();
      const [alias] = aliases;
      if (!alias) return null;
      const { data: items } = await api
        .from(kind)
        .select('slug')
        .eq('id', alias.item_id)
        .eq('status', 'published')
        .abortSignal(signal)
        .throwOnError();
      return { to: items[0]?.slug ?? null };
    },
  });
}
