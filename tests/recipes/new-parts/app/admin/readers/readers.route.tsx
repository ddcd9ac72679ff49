import { createFileRoute } from '@tanstack/react-router';
import { readListSearch } from '../../ui/list/list-search.ts';
import { ReadersPage } from './readers-page.tsx';

export const Route = createFileRoute('/_gate/admin/readers')({
  validateSearch: readListSearch,
  component: ReadersRoute,
});

function ReadersRoute() {
  return <ReadersPage page={Route.useSearch().page ?? 1} />;
}
