import { createFileRoute } from '@tanstack/react-router';
import { BookingsPage } from './bookings-page.tsx';
import { readBookingsSearch } from './bookings-search.ts';

export const Route = createFileRoute('/_gate/admin/bookings')({
  validateSearch: readBookingsSearch,
  component: Bookings,
});

function Bookings() {
  const { tab, week, q = '', page = 1 } = Route.useSearch();
  return <BookingsPage tab={tab} week={week} search={q} page={page} />;
}
