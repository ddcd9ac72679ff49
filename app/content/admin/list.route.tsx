import { createFileRoute } from '@tanstack/react-router';
import { ContentList } from './content-list.tsx';

export const Route = createFileRoute('/_gate/admin/$kind/')({
  loaderDeps: ({ search }) => search,
  // Loads data and code in parallel, including on link hover. The list handles errors.
  loader: async ({ context: { queryClient, kind }, deps: { q, ...filter } }) => {
    const { listQuery } = await import('../editing.ts');
    void queryClient.prefetchQuery(listQuery(kind, { search: q, ...filter }));
  },
  component: ListPage,
});

function ListPage() {
  const { kind } = Route.useRouteContext();
  return <ContentList key={kind.path} kind={kind} search={Route.useSearch()} />;
}
