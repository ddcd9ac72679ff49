import { createFileRoute } from '@tanstack/react-router';
import { readListSearch } from '../../ui/list/list-search.ts';
import { ConversationList } from './conversation-list.tsx';

export const Route = createFileRoute('/_gate/admin/conversations')({
  validateSearch: readListSearch,
  component: ConversationsPage,
});

function ConversationsPage() {
  const { q = '', page = 1 } = Route.useSearch();
  return <ConversationList search={q} page={page} />;
}
