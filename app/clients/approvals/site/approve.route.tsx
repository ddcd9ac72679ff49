import { createFileRoute, getRouteApi } from '@tanstack/react-router';
import { ApprovePage } from './approve-page.tsx';

/** Approval page behind an email link. The token in the URL is a secret, so the page is neither cached nor indexed. */
export const Route = createFileRoute('/_gate/_site/approve/$token')({
  ssr: false,
  headers: () => ({ 'cache-control': 'private, no-store' }),
  head: () => ({
    meta: [
      { title: 'Approval requested' },
      { name: 'robots', content: 'noindex' },
      { name: 'referrer', content: 'no-referrer' },
    ],
  }),
  component: ApproveRoute,
});

const root = getRouteApi('__root__');

function ApproveRoute() {
  const { token } = Route.useParams();
  const { siteName } = root.useLoaderData();
  return <ApprovePage key={token} token={token} siteName={siteName} />;
}
