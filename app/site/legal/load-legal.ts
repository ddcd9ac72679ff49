import type { QueryClient } from '@tanstack/react-query';
import type { LegalPage } from '../../api/places/public-pages.ts';
import { pageContentQuery } from '../../content/pages/page-content.ts';
import { sectionChangedQuery } from '../../content/pages/section-changed.ts';
import { textPicturesQuery } from '../../media/pictures-in-text.ts';
import { LongText } from '../../ui/long-text.tsx';
import { loadPage } from '../page-with-header.ts';

export function loadLegal(queryClient: QueryClient, page: LegalPage) {
  return loadPage(
    queryClient,
    page,
    queryClient.prefetchQuery(sectionChangedQuery(page.header, 'header')),
    prefetchPictures(queryClient, page),
    LongText.preload(),
  );
}

async function prefetchPictures(queryClient: QueryClient, { header }: LegalPage): Promise<void> {
  const { sections } = await queryClient.ensureQueryData(pageContentQuery(header));
  await queryClient.prefetchQuery(textPicturesQuery(sections.header.text));
}
