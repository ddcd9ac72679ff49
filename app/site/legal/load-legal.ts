import type { QueryClient } from '@tanstack/react-query';
import { textPicturesQuery } from '../../data/media/text-pictures.ts';
import { pageContentQuery } from '../../data/pages/page-content.ts';
import type { LegalPage } from '../../data/pages/public-pages.ts';
import { sectionChangedQuery } from '../../data/pages/section-changed.ts';
import { LongText } from '../../ui/long-text.tsx';
import { loadPage } from '../page-with-header.ts';

export function loadLegal(queryClient: QueryClient, page: LegalPage) {
  return loadPage(
    queryClient,
    page,
    queryClient.prefetchQuery(sectionChangedQuery(page.header, 'header')),
    prefetchPictures(queryClient, page),
    LongText.prepare(),
  );
}

async function prefetchPictures(queryClient: QueryClient, { header }: LegalPage): Promise<void> {
  const { sections } = await queryClient.ensureQueryData(pageContentQuery(header));
  await queryClient.prefetchQuery(textPicturesQuery(sections.header.text));
}
