import { createFileRoute } from '@tanstack/react-router';
import { pageWithHeader } from '../../api/places/public-pages.ts';
import { buildHead } from '../page-with-header.ts';
import { LegalPage } from './legal-page.tsx';
import { loadLegal } from './load-legal.ts';

const page = pageWithHeader('terms');

export const Route = createFileRoute('/_gate/_site/terms')({
  loader: ({ context: { queryClient } }) => loadLegal(queryClient, page),
  head: ({ loaderData }) => buildHead(page, loaderData),
  component: Terms,
  // Few visits start on this page, so the loader is kept out of the main chunk.
  codeSplitGroupings: [['loader', 'component']],
});

function Terms() {
  return <LegalPage page={page} settings={Route.useLoaderData().settings} />;
}
