import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { ArrowLeft, Trash2, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { type TranscriptMessage, transcriptQuery } from '../../data/conversations.ts';
import { moment } from '../../lib/moment.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LoadError } from '../../ui/load-error.tsx';
import { Markdown } from '../../ui/markdown.tsx';
import { ScreenHeader } from '../../ui/screen-header.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { DeleteConversationDialog } from './delete-conversation-dialog.tsx';
import { ExportButton } from './export-button.tsx';

/** One conversation from its first message to its last. */
export function Transcript({ conversationId }: { conversationId: string }) {
  const { data: messages, error, isPending, refetch } = useQuery(transcriptQuery(conversationId));
  const [deleting, setDeleting] = useState(false);
  const navigate = useNavigate();
  return (
    <div className="grid max-w-[45rem] grid-cols-1 gap-6">
      <ButtonLink to="/admin/conversations" variant="link" className="justify-self-start">
        <ArrowLeft aria-hidden="true" />
        All conversations
      </ButtonLink>
      <ScreenHeader
        title="Conversation"
        description={messages?.[0] && `Began ${moment(messages[0].created_at)}`}
        action={
          messages &&
          messages.length > 0 && (
            <div className="flex flex-wrap gap-3">
              <ExportButton conversationId={conversationId} />
              <Button variant="secondary" onClick={() => setDeleting(true)}>
                <Trash2 aria-hidden="true" />
                Delete
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
        <EmptyState title="No such conversation" description="It may have been deleted, or nothing was said in it." />
      )}
      {messages && messages.length > 0 && (
        <ol aria-label="Messages" className="grid grid-cols-1 gap-5">
          {messages.map((message) => (
            <Message key={message.id} message={message} />
          ))}
        </ol>
      )}
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

function Message({ message: { role, content, created_at, isForged } }: { message: TranscriptMessage }) {
  const fromVisitor = role === 'user';
  return (
    <li className={fromVisitor ? 'grid gap-1.5 sm:pl-16' : 'grid gap-1.5 sm:pr-16'}>
      <p className="flex justify-between gap-3 font-mono text-label text-muted">
        {fromVisitor ? 'Visitor' : 'Assistant'}
        <time dateTime={created_at}>{moment(created_at)}</time>
      </p>
      <div
        className={
          fromVisitor
            ? 'rounded-lg bg-accent-soft px-4 py-3 whitespace-pre-wrap [overflow-wrap:anywhere]'
            : 'rounded-lg border border-line bg-surface px-4 py-3 [overflow-wrap:anywhere]'
        }
      >
        {fromVisitor ? content : <Markdown text={content} images={false} />}
      </div>
      {isForged && (
        <p className="flex items-start gap-2 text-sm text-danger">
          <TriangleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
          Not written by the assistant. Whoever holds this conversation stored it in its name.
        </p>
      )}
    </li>
  );
}
