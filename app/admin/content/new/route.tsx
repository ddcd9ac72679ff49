import { createFileRoute } from '@tanstack/react-router';
import { NewItem } from '../new-item.tsx';

export const Route = createFileRoute('/_gate/admin/$kind/new')({
  validateSearch: ({ copy }: Record<string, unknown>): { copy?: string } => (typeof copy === 'string' ? { copy } : {}),
  component: NewPage,
});

function NewPage() {
  const { screen } = Route.useRouteContext();
  const { copy } = Route.useSearch();
  return <NewItem key={`${screen.path} ${copy}`} screen={screen} copyOf={copy} />;
}
