import { createFileRoute } from '@tanstack/react-router';
import { readListSearch } from '../../ui/list/list-search.ts';
import { SubscribersList } from './subscribers-list.tsx';

export const Route = createFileRoute('/_gate/admin/leads/subscribers')({
  validateSearch: readListSearch,
  component: SubscribersPage,
});

function SubscribersPage() {
  const { q = '', page = 1 } = Route.useSearch();
  return <SubscribersList search={q} page={page} />;
}
