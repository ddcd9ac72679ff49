import { createFileRoute } from '@tanstack/react-router';
import { readListSearch } from '../../ui/list/list-search.ts';
import { ActivityLog } from './activity-log.tsx';

export const Route = createFileRoute('/_gate/admin/people/record')({
  validateSearch: readListSearch,
  component: ActivityLogPage,
});

function ActivityLogPage() {
  const { q, page = 1 } = Route.useSearch();
  return <ActivityLog person={q} page={page} />;
}
