import { createFileRoute } from '@tanstack/react-router';
import { ItemInRelease } from './item-in-release.tsx';

export const Route = createFileRoute('/_gate/admin/releases/$id/$change')({ component: ChangeRoute });

function ChangeRoute() {
  const { id, change } = Route.useParams();
  return <ItemInRelease key={change} releaseId={id} changeId={change} />;
}
