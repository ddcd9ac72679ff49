import { createFileRoute } from '@tanstack/react-router';
import { readListSearch } from '../../ui/list/list-search.ts';
import { WebhookPage } from './webhook-page.tsx';

export const Route = createFileRoute('/_gate/admin/leads/webhook')({
  validateSearch: readListSearch,
  component: WebhookRoute,
});

function WebhookRoute() {
  const { page = 1 } = Route.useSearch();
  return <WebhookPage page={page} />;
}
