import { createFileRoute } from '@tanstack/react-router';
import { EditItem } from '../edit-item.tsx';

export const Route = createFileRoute('/_gate/admin/$kind/$id/edit')({ component: EditPage });

function EditPage() {
  const { screen } = Route.useRouteContext();
  const { id } = Route.useParams();
  return <EditItem key={`${screen.path} ${id}`} screen={screen} id={id} />;
}
