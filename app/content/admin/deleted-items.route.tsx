import { createFileRoute } from '@tanstack/react-router';
import { DeletedItems } from './deleted-items.tsx';

export const Route = createFileRoute('/_gate/admin/$kind/deleted')({ component: DeletedItemsPage });

function DeletedItemsPage() {
  const { kind } = Route.useRouteContext();
  return <DeletedItems key={kind.path} kind={kind} search={Route.useSearch()} />;
}
