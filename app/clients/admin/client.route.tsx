import { createFileRoute } from '@tanstack/react-router';
import { ClientPage } from './client-page.tsx';

export const Route = createFileRoute('/_gate/admin/clients/$id')({ component: ClientRoute });

function ClientRoute() {
  const { id } = Route.useParams();
  return <ClientPage key={id} id={id} />;
}
