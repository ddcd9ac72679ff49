import { createFileRoute } from '@tanstack/react-router';
import { readListSearch } from '../../ui/list/list-search.ts';
import { Asked } from './asked.tsx';

export const Route = createFileRoute('/_gate/admin/conversations/asked')({
  validateSearch: readListSearch,
  component: AskedPage,
});

function AskedPage() {
  const { q = '' } = Route.useSearch();
  return <Asked search={q} />;
}
