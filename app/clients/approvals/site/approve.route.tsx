import { createFileRoute } from '@tanstack/react-router';
import { ApprovePage } from './approve-page.tsx';

/** Behind the link in a mail that asks for a yes. The token in the address is a key: nobody keeps or lists this page. */
export const Route = createFileRoute('/_gate/_site/approve/$token')({
  ssr: false,
  headers: () => ({ 'cache-control': 'private, no-store' }),
  head: () => ({
    meta: [
      { title: 'Waiting for your yes' },
      { name: 'robots', content: 'noindex' },
      { name: 'referrer', content: 'no-referrer' },
    ],
  }),
  component: ShownApproval,
});

function ShownApproval() {
  const { token } = Route.useParams();
  return <ApprovePage key={token} token={token} />;
}
