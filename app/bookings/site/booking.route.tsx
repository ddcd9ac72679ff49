import { createFileRoute, getRouteApi } from '@tanstack/react-router';
import { BookingPage } from './booking-page.tsx';

/** Page behind the link in booking emails. The URL contains a secret token, so it must not be cached or indexed. */
export const Route = createFileRoute('/_gate/_site/booking/$token')({
  ssr: false,
  headers: () => ({ 'cache-control': 'private, no-store' }),
  head: () => ({
    meta: [
      { title: 'Your call' },
      { name: 'robots', content: 'noindex' },
      { name: 'referrer', content: 'no-referrer' },
    ],
  }),
  component: BookingRoute,
});

const root = getRouteApi('__root__');

function BookingRoute() {
  const { token } = Route.useParams();
  const { siteName } = root.useLoaderData();
  return <BookingPage key={token} token={token} siteName={siteName} />;
}
