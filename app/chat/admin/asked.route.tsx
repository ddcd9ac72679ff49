import { createFileRoute } from '@tanstack/react-router';
import { readListSearch } from '../../ui/list/list-search.ts';
import { QuestionsPage } from './questions-page.tsx';

export const Route = createFileRoute('/_gate/admin/conversations/asked')({
  validateSearch: readListSearch,
  component: AskedPage,
});

function AskedPage() {
  const { q = '' } = Route.useSearch();
  return <QuestionsPage search={q} />;
}
