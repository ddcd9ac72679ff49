import { createFileRoute, getRouteApi } from '@tanstack/react-router';
import { LeadPage } from './lead-page.tsx';

/** Page of a lead behind an email link. The token in the URL is a secret, so the page is neither cached nor indexed. */
export const Route = createFileRoute('/_gate/_site/lead/$token')({
  ssr: false,
  validateSearch: ({ answer }): { answer?: 'not_fit' } => (answer === 'not_fit' ? { answer } : {}),
  headers: () => ({ 'cache-control': 'private, no-store' }),
  head: () => ({
    meta: [{ title: 'New lead' }, { name: 'robots', content: 'noindex' }, { name: 'referrer', content: 'no-referrer' }],
  }),
  component: LeadRoute,
});

const root = getRouteApi('__root__');

function LeadRoute() {
  const { token } = Route.useParams();
  const { answer } = Route.useSearch();
  const { siteName } = root.useLoaderData();
  return <LeadPage key={token} token={token} siteName={siteName} isNotFit={answer === 'not_fit'} />;
}
