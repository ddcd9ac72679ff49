import { queryOptions } from '@tanstack/react-query';
import { publicApi } from '../../api/visitor-api.ts';
import { siteSettingsQuery } from '../../settings/site-settings.ts';
import type { Footer } from './footer.ts';
import type { PageContent, PageSlug } from './sections.ts';

/** Reads the sections of a page, except the footer. Missing or invalid field groups fall back to their defaults. */
export function pageContentQuery<Page extends PageSlug>(page: Page) {
  return queryOptions({
    queryKey: ['page_content', page],
    queryFn: async ({ client, signal }): Promise<PageContent<Page>> => {
      const [settings, api] = await Promise.all([client.fetchQuery(siteSettingsQuery), publicApi()]);
      const { data } = await api
        .from('page_content')
        .select('section_name, content')
        .eq('page_slug', page)
        .neq('section_name', 'footer')
        .abortSignal(signal)
        .throwOnError();
      const { readPageContent } = await import('./read.ts');
      return readPageContent(page, data, settings.site_name);
    },
  });
}

/** Footer of all pages, stored as home/footer. */
export const footerQuery = queryOptions({
  queryKey: ['page_content', 'home', 'footer'],
  queryFn: async ({ client, signal }): Promise<Footer> => {
    const [settings, api] = await Promise.all([client.fetchQuery(siteSettingsQuery), publicApi()]);
    const { data } = await api
      .from('page_content')
      .select('content')
      .eq('page_slug', 'home')
      .eq('section_name', 'footer')
      .abortSignal(signal)
      .throwOnError();
    const { readFooter } = await import('./read.ts');
    return readFooter(data[0]?.content, settings.site_name);
  },
});
