import { createFileRoute } from '@tanstack/react-router';
import { NewItem } from './new-item.tsx';

export const Route = createFileRoute('/_gate/admin/$kind/new')({
  validateSearch: ({ copy }: Record<string, unknown>): { copy?: string } => (typeof copy === 'string' ? { copy } : {}),
  component: NewPage,
});

function NewPage() {
  const { kind } = Route.useRouteContext();
  const { copy } = Route.useSearch();
  return <NewItem key={`${kind.path} ${copy}`} kind={kind} copyOf={copy} />;
}
