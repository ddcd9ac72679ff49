import { queryOptions } from '@tanstack/react-query';
import { publicApi } from '../../api/visitor-api.ts';

/** Redirect target of a former slug. */
export interface MovedItem {
  /** Current slug. Null if the item is no longer public. */
  to: string | null;
}

/** Finds the item that used the slug before. Null if the slug is unknown. */
export function movedItemQuery(kind: 'posts' | 'projects', slug: string) {
  return queryOptions({
    queryKey: [kind, 'moved', slug],
    queryFn: async ({ signal }): Promise<MovedItem | null> => {
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
