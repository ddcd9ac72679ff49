import { createFileRoute } from '@tanstack/react-router';
import { LeadTranscript } from '../chat/admin/lead-transcript.tsx';
import { LeadPage } from '../leads/admin/lead-page.tsx';

export const Route = createFileRoute('/_gate/admin/leads/$id')({ component: LeadRoute });

function LeadRoute() {
  const { id } = Route.useParams();
  return <LeadPage key={id} id={id} Transcript={LeadTranscript} />;
}
