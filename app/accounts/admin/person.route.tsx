import { createFileRoute } from '@tanstack/react-router';
import { PersonPage } from './person-page.tsx';

export const Route = createFileRoute('/_gate/admin/people/$id')({ component: Person });

function Person() {
  const { id } = Route.useParams();
  const { account } = Route.useRouteContext();
  return <PersonPage key={id} id={id} isSelf={account.id === id} />;
}
