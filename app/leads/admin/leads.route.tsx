import { createFileRoute } from '@tanstack/react-router';
import { readLeadSearch } from './lead-search.ts';
import { LeadsList } from './leads-list.tsx';

export const Route = createFileRoute('/_gate/admin/leads')({
  validateSearch: readLeadSearch,
  component: LeadsPage,
});

function LeadsPage() {
  return <LeadsList search={Route.useSearch()} />;
}
