import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { formatTime } from '../../ui/lib/format-time.ts';
import { BackLink } from '../../ui/list/back-link.tsx';
import { LoadError } from '../../ui/load-error.tsx';
import { HEADER_BUTTON_CLASS, HEADER_LABEL_CLASS, ScreenHeader } from '../../ui/screen-header.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { transcriptQuery } from '../conversations.ts';
import { CreateLead } from './create-lead.tsx';
import { DeleteConversationDialog } from './delete-conversation-dialog.tsx';
import { ExportButton } from './export-button.tsx';
import { TranscriptMessages } from './transcript-messages.tsx';

export function Transcript({ conversationId }: { conversationId: string }) {
  const { data: messages, error, isPending, refetch } = useQuery(transcriptQuery(conversationId));
  const [deleting, setDeleting] = useState(false);
  const navigate = useNavigate();
  return (
    <div className="grid max-w-form grid-cols-1 gap-6">
      <BackLink to="/admin/conversations">All conversations</BackLink>
      <ScreenHeader
        title="Conversation"
        isInline
        description={messages?.[0] && `Started ${formatTime(messages[0].created_at)}`}
        action={
          messages &&
          messages.length > 0 && (
            <div className="flex gap-2 sm:gap-3">
              <CreateLead conversationId={conversationId} messages={messages} />
              <ExportButton conversationId={conversationId} />
              <Button variant="danger-outline" className={HEADER_BUTTON_CLASS} onClick={() => setDeleting(true)}>
                <Trash2 aria-hidden="true" />
                <span className={HEADER_LABEL_CLASS}>Delete</span>
              </Button>
            </div>
          )
        }
      />
      {isPending && (
        <div className="grid gap-4">
          <p role="status" className="text-muted">
            Loading conversation...
          </p>
          <Skeleton className="h-16 rounded-lg" />
          <Skeleton className="h-28 rounded-lg" />
        </div>
      )}
      {error && <LoadError error={error} onRetry={() => void refetch()} />}
      {messages?.length === 0 && (
        <EmptyState title="Conversation not found" description="It may have been deleted, or it has no messages." />
      )}
      {messages && messages.length > 0 && <TranscriptMessages messages={messages} />}
      {deleting && (
        <DeleteConversationDialog
          conversationId={conversationId}
          onClose={() => setDeleting(false)}
          onDeleted={() => void navigate({ to: '/admin/conversations' })}
        />
      )}
    </div>
  );
}
