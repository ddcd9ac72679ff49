import { createFileRoute } from '@tanstack/react-router';
import { LeadPage } from './lead-page.tsx';

export const Route = createFileRoute('/_gate/admin/leads/$id')({ component: LeadRoute });

function LeadRoute() {
  const { id } = Route.useParams();
  return <LeadPage key={id} id={id} />;
}
