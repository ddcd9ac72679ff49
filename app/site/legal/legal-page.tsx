import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import type { LegalPage as AnyLegalPage } from '../../api/places/public-pages.ts';
import { pageContentQuery } from '../../content/pages/page-content.ts';
import { sectionChangedQuery } from '../../content/pages/section-changed.ts';
import type { SiteSettings } from '../../settings/site-settings.ts';
import { LegalText } from './legal-text.tsx';

export function LegalPage({ page, settings }: { page: AnyLegalPage; settings: SiteSettings }) {
  const { sections } = useSuspenseQuery(pageContentQuery(page.header)).data;
  const { data: changedAt } = useQuery(sectionChangedQuery(page.header, 'header'));
  return <LegalText label={page.label} content={sections.header} settings={settings} changedAt={changedAt} />;
}
