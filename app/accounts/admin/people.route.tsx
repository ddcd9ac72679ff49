import { createFileRoute } from '@tanstack/react-router';
import { PeopleList } from './people-list.tsx';
import { readPeopleSearch } from './people-search.ts';

export const Route = createFileRoute('/_gate/admin/people')({
  validateSearch: readPeopleSearch,
  component: PeoplePage,
});

function PeoplePage() {
  return <PeopleList search={Route.useSearch()} />;
}
