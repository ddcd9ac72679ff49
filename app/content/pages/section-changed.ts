import { queryOptions } from '@tanstack/react-query';
import { publicApi } from '../../api/visitor-api.ts';

/** Reads when a section was last saved. Null if it was never saved. */
export function sectionChangedQuery(page: string, section: string) {
  return queryOptions({
    queryKey: ['page_content', page, section, 'changed'],
    queryFn: async ({ signal }): Promise<string | null> => {
      const api = await publicApi();
      const { data } = await api
        .from('page_content')
        .select('updated_at')
        .eq('page_slug', page)
        .eq('section_name', section)
        .abortSignal(signal)
        .throwOnError();
      return data[0]?.updated_at ?? null;
    },
  });
}
