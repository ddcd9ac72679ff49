import { TriangleAlert } from 'lucide-react';
import { formatTime } from '../../ui/lib/format-time.ts';
import { Markdown } from '../../ui/markdown.tsx';
import type { TranscriptMessage } from '../conversations.ts';

/** Messages of a conversation, oldest first. */
export function TranscriptMessages({ messages }: { messages: readonly TranscriptMessage[] }) {
  return (
    <ol aria-label="Messages" className="grid grid-cols-1 gap-5">
      {messages.map((message) => (
        <Message key={message.id} message={message} />
      ))}
    </ol>
  );
}

function Message({ message: { role, content, created_at, isForged } }: { message: TranscriptMessage }) {
  const fromVisitor = role === 'user';
  return (
    <li className={fromVisitor ? 'grid gap-1.5 sm:pl-16' : 'grid gap-1.5 sm:pr-16'}>
      <p className="flex justify-between gap-3 font-mono text-label text-muted">
        {fromVisitor ? 'Visitor' : 'Assistant'}
        <time dateTime={created_at}>{formatTime(created_at)}</time>
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
          Not written by the assistant. The visitor stored this message under the assistant’s name.
        </p>
      )}
    </li>
  );
}
