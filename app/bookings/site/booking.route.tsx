import { createFileRoute } from '@tanstack/react-router';
import { BookingPage } from './booking-page.tsx';

/** Behind the link in the mails about a booked call. The token in the address is a key: nobody keeps or lists this page. */
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
  component: ShownBooking,
});

function ShownBooking() {
  const { token } = Route.useParams();
  return <BookingPage key={token} token={token} />;
}
