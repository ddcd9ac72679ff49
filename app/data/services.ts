import { queryOptions } from '@tanstack/react-query';
import { publicApi } from './api.ts';
import type { Database } from './database.types.ts';

type Service = Database['public']['Tables']['services']['Row'];

const PUBLIC_COLUMNS =
  'id, title, slug, icon_name, short_description, long_description, timeline, pricing, deliverables' as const;

export type PublishedService = Pick<
  Service,
  | 'id'
  | 'title'
  | 'slug'
  | 'icon_name'
  | 'short_description'
  | 'long_description'
  | 'timeline'
  | 'pricing'
  | 'deliverables'
>;

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
    return data.length > 0 ? data : (await import('./default-services.ts')).defaultServices;
  },
});
