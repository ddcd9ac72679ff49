import { createFileRoute } from '@tanstack/react-router';
import { Transcript } from './transcript.tsx';

export const Route = createFileRoute('/_gate/admin/conversations/$id')({ component: TranscriptPage });

function TranscriptPage() {
  const { id } = Route.useParams();
  return <Transcript key={id} conversationId={id} />;
}
