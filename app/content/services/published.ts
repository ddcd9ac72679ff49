import { queryOptions } from '@tanstack/react-query';
import { publicApi } from '../../data/api.ts';
import type { Selected } from '../../data/tables.ts';

const PUBLIC_COLUMNS =
  'id, title, slug, icon_name, short_description, long_description, timeline, pricing, deliverables' as const;

export type PublishedService = Selected<'services', typeof PUBLIC_COLUMNS>;

/** Published services in display order; the three default services while there is none. */
export const publishedServicesQuery = queryOptions({
  queryKey: ['services', 'published'],
  queryFn: async ({ signal }): Promise<PublishedService[]> => {
    const api = await publicApi();
    const { data } = await api
      .from('services')
      .select(PUBLIC_COLUMNS)
      .eq('status', 'published')
      .order('display_order')
      .order('created_at')
      .abortSignal(signal)
      .throwOnError();
    return data.length > 0 ? data : (await import('./published-defaults.ts')).defaultServices;
  },
});
