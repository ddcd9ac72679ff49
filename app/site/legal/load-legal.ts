import type { QueryClient } from '@tanstack/react-query';
import type { PageWithHeader } from '../../data/public-pages.ts';
import { sectionChangedQuery } from '../../data/section-changed.ts';
import { loadPage } from '../page-with-header.ts';

export function loadLegal(queryClient: QueryClient, page: PageWithHeader) {
  return loadPage(queryClient, page, queryClient.prefetchQuery(sectionChangedQuery(page.header, 'header')));
}
