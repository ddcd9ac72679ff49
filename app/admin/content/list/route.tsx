import { createFileRoute } from '@tanstack/react-router';
import { ContentList } from '../content-list.tsx';
import { readListSearch } from '../list-search.ts';

export const Route = createFileRoute('/_gate/admin/$kind/')({
  validateSearch: readListSearch,
  loaderDeps: ({ search }) => search,
  // The data comes while the page's code comes, not after it; pointing at a link starts both. The list says what fails.
  loader: async ({ context: { queryClient, screen }, deps }) => {
    const { screenListQuery } = await import('../screen-list-query.ts');
    void queryClient.prefetchQuery(screenListQuery(screen, deps));
  },
  component: ListPage,
});

function ListPage() {
  const { screen } = Route.useRouteContext();
  return <ContentList key={screen.path} screen={screen} search={Route.useSearch()} />;
}
