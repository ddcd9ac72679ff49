import type { QueryClient } from '@tanstack/react-query';
import { pageContentQuery } from '../../data/page-content.ts';
import type { LegalPage } from '../../data/public-pages.ts';
import { sectionChangedQuery } from '../../data/section-changed.ts';
import { textPicturesQuery } from '../../data/text-pictures.ts';
import { loadPage } from '../page-with-header.ts';

export function loadLegal(queryClient: QueryClient, page: LegalPage) {
  return loadPage(
    queryClient,
    page,
    queryClient.prefetchQuery(sectionChangedQuery(page.header, 'header')),
    prefetchPictures(queryClient, page),
  );
}

async function prefetchPictures(queryClient: QueryClient, { header }: LegalPage): Promise<void> {
  const { sections } = await queryClient.ensureQueryData(pageContentQuery(header));
  await queryClient.prefetchQuery(textPicturesQuery(sections.header.text));
}
