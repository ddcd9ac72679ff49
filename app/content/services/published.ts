import { queryOptions } from '@tanstack/react-query';
import type { WithPictures } from '../../api/pictures.ts';
import { readPublished } from '../../api/read-published.ts';
import type { Selected } from '../../api/tables.ts';

const PUBLIC_COLUMNS =
  'id, title, slug, icon_name, short_description, long_description, timeline, pricing, deliverables' as const;

export type PublishedService = WithPictures<Selected<'services', typeof PUBLIC_COLUMNS>>;

/** Reads published services in display order. Falls back to the three defaults. */
export const publishedServicesQuery = queryOptions({
  queryKey: ['services', 'published'],
  queryFn: async ({ signal }): Promise<PublishedService[]> => {
    const services = await readPublished(
      { table: 'services', columns: PUBLIC_COLUMNS, order: ['display_order', 'created_at'] },
      signal,
    );
    return services.length > 0 ? services : (await import('./published-defaults.ts')).defaultServices;
  },
});
