import { createFileRoute } from '@tanstack/react-router';
import { NewItem } from './new-item.tsx';

export const Route = createFileRoute('/_gate/admin/$kind/new')({
  validateSearch: ({ copy, title }: Record<string, unknown>): { copy?: string; title?: string } => ({
    ...(typeof copy === 'string' && { copy }),
    ...((typeof title === 'string' || typeof title === 'number') && { title: String(title) }),
  }),
  // Preload: React shows a Suspense fallback for at least 0.3 s.
  loader: ({ context: { kind } }) => kind.Fields.preload(),
  component: NewPage,
});

function NewPage() {
  const { kind } = Route.useRouteContext();
  const { copy, title } = Route.useSearch();
  return <NewItem key={`${kind.path} ${copy} ${title}`} kind={kind} copyOf={copy} title={title} />;
}
