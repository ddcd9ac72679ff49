import { createFileRoute } from '@tanstack/react-router';
import { ReleasesPage } from './releases-page.tsx';

export const Route = createFileRoute('/_gate/admin/releases')({
  validateSearch: ({ page }: Record<string, unknown>): { page?: number } =>
    typeof page === 'number' && Number.isInteger(page) && page > 1 ? { page } : {},
  component: ReleasesRoute,
});

function ReleasesRoute() {
  return <ReleasesPage page={Route.useSearch().page ?? 1} />;
}
