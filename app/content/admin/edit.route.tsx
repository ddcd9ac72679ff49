import { createFileRoute } from '@tanstack/react-router';
import { EditItem } from './edit-item.tsx';

export const Route = createFileRoute('/_gate/admin/$kind/$id/edit')({
  validateSearch: ({ publish }: Record<string, unknown>): { publish?: true } => (publish === true ? { publish } : {}),
  // Preload: React shows a Suspense fallback for at least 0.3 s.
  loader: ({ context: { kind } }) => kind.Fields.preload(),
  component: EditPage,
});

function EditPage() {
  const { kind } = Route.useRouteContext();
  const { id } = Route.useParams();
  const { publish = false } = Route.useSearch();
  return <EditItem key={`${kind.path} ${id}`} kind={kind} id={id} isToBePublished={publish} />;
}
