import { createFileRoute } from '@tanstack/react-router';
import { ReleasePage } from './release-page.tsx';

export const Route = createFileRoute('/_gate/admin/releases/$id')({ component: ReleaseRoute });

function ReleaseRoute() {
  const { id } = Route.useParams();
  return <ReleasePage key={id} id={id} />;
}
