import { useQuery } from '@tanstack/react-query';
import { TitledCard } from '../../ui/card.tsx';
import { LoadingCards } from '../../ui/list/loading-cards.tsx';
import { LoadError } from '../../ui/load-error.tsx';
import { transcriptQuery } from '../conversations.ts';
import { TranscriptMessages } from './transcript-messages.tsx';

/** Shows a lead's conversation on the lead's page. */
export function LeadTranscript({ conversationId }: { conversationId: string }) {
  const { data: messages, error, isPending, refetch } = useQuery(transcriptQuery(conversationId));
  return (
    <TitledCard title="Conversation">
      {isPending && <LoadingCards text="Loading conversation..." height="h-16" />}
      {error && <LoadError error={error} onRetry={() => void refetch()} />}
      {messages && <TranscriptMessages messages={messages} />}
    </TitledCard>
  );
}
