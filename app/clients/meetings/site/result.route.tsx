import { createFileRoute, getRouteApi } from '@tanstack/react-router';
import { ResultPage } from './result-page.tsx';

/** Page of a meeting behind an email link. The token in the URL is a secret, so the page is neither cached nor indexed. */
export const Route = createFileRoute('/_gate/_site/result/$token')({
  ssr: false,
  headers: () => ({ 'cache-control': 'private, no-store' }),
  head: () => ({
    meta: [
      { title: 'Result of a meeting' },
      { name: 'robots', content: 'noindex' },
      { name: 'referrer', content: 'no-referrer' },
    ],
  }),
  component: ResultRoute,
});

const root = getRouteApi('__root__');

function ResultRoute() {
  const { token } = Route.useParams();
  const { siteName } = root.useLoaderData();
  return <ResultPage key={token} token={token} siteName={siteName} />;
}
