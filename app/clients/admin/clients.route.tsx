import { createFileRoute } from '@tanstack/react-router';
import { readListSearch } from '../../ui/list/list-search.ts';
import { ClientsList } from './clients-list.tsx';

export const Route = createFileRoute('/_gate/admin/clients')({
  validateSearch: (search: Record<string, unknown>): { page?: number } => {
    const { page } = readListSearch(search);
    return page === undefined ? {} : { page };
  },
  component: ClientsPage,
});

function ClientsPage() {
  return <ClientsList page={Route.useSearch().page ?? 1} />;
}
