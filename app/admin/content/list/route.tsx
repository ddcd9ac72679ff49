import { createFileRoute } from '@tanstack/react-router';
import { ContentList } from '../content-list.tsx';
import { readListSearch } from '../list-search.ts';

export const Route = createFileRoute('/_gate/admin/$kind/')({ validateSearch: readListSearch, component: ListPage });

function ListPage() {
  const { screen } = Route.useRouteContext();
  return <ContentList key={screen.path} screen={screen} search={Route.useSearch()} />;
}
