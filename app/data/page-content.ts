import { queryOptions } from '@tanstack/react-query';
import { publicApi } from './api.ts';
import type { Footer } from './page-content/footer.ts';
import type { PageContent, PageSlug } from './page-content/sections.ts';

/** The sections of one page except the footer, each field group with its default where nothing valid is saved. */
export function pageContentQuery<Page extends PageSlug>(page: Page) {
  return queryOptions({
    queryKey: ['page_content', page],
    queryFn: async ({ signal }): Promise<PageContent<Page>> => {
      const api = await publicApi();
      const { data } = await api
        .from('page_content')
        .select('section_name, content')
        .eq('page_slug', page)
        .neq('section_name', 'footer')
        .abortSignal(signal)
        .throwOnError();
      const { readPageContent } = await import('./page-content/read.ts');
      return readPageContent(page, data);
    },
  });
}

/** The footer of every page, which is saved as home/footer. */
export const footerQuery = queryOptions({
  queryKey: ['page_content', 'home', 'footer'],
  queryFn: async ({ signal }): Promise<Footer> => {
    const api = await publicApi();
    const { data } = await api
      .from('page_content')
      .select('content')
      .eq('page_slug', 'home')
      .eq('section_name', 'footer')
      .abortSignal(signal)
      .throwOnError();
    const { readFooter } = await import('./page-content/read.ts');
    return readFooter(data[0]?.content);
  },
});
