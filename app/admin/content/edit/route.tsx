import { createFileRoute } from '@tanstack/react-router';
import { EditItem } from '../edit-item.tsx';
import { useScreen } from '../use-screen.ts';

export const Route = createFileRoute('/_gate/admin/$kind/$id/edit')({ component: EditPage });

function EditPage() {
  const { kind, id } = Route.useParams();
  const screen = useScreen(kind);
  return <EditItem key={`${screen.path} ${id}`} screen={screen} id={id} />;
}
