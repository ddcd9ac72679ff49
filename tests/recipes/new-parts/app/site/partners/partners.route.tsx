import { useSuspenseQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { pageWithHeader } from '../../api/places/public-pages.ts';
import { pageContentQuery } from '../../content/pages/page-content.ts';
import { PageHeader } from '../page-header.tsx';
import { buildHead, loadPage } from '../page-with-header.ts';

const page = pageWithHeader('partners');
const content = pageContentQuery('partners');

export const Route = createFileRoute('/_gate/_site/partners')({
  loader: ({ context: { queryClient } }) => loadPage(queryClient, page),
  head: ({ loaderData }) => buildHead(page, loaderData),
  component: Partners,
});

function Partners() {
  const { sections } = useSuspenseQuery(content).data;
  return <PageHeader eyebrow={page.label} header={sections.header} />;
}
