import { createFileRoute } from '@tanstack/react-router';
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

function ApproveRoute() {
  const { token } = Route.useParams();
  return <ApprovePage key={token} token={token} />;
}
