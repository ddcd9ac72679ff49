import { createFileRoute } from '@tanstack/react-router';
import { EditItem } from './edit-item.tsx';

export const Route = createFileRoute('/_gate/admin/$kind/$id/edit')({ component: EditPage });

function EditPage() {
  const { kind } = Route.useRouteContext();
  const { id } = Route.useParams();
  return <EditItem key={`${kind.path} ${id}`} kind={kind} id={id} />;
}
