import { TriangleAlert } from 'lucide-react';
import type { TranscriptMessage } from '../conversations.ts';
import { messageTime } from '../message-time.ts';
import { ReplyText } from '../reply-text.tsx';

/** Messages in a conversation, oldest first. Messages sent in the same minute show their time once. */
export function TranscriptMessages({ messages }: { messages: readonly TranscriptMessage[] }) {
  return (
    <ol aria-label="Messages" className="grid grid-cols-1 gap-5">
      {messages.map((message, position) => (
        <Message key={message.id} message={message} time={messageTime(messages, position)} />
      ))}
    </ol>
  );
}

function Message({ message, time }: { message: TranscriptMessage; time: string | null }) {
  const { role, content, created_at, isForged } = message;
  const fromVisitor = role === 'user';
  return (
    <li className={fromVisitor ? 'grid gap-1.5 sm:pl-16' : 'grid gap-1.5 sm:pr-16'}>
      <p className="flex justify-between gap-3 font-mono text-label text-muted">
        {fromVisitor ? 'Visitor' : 'Assistant'}
        {time && <time dateTime={created_at}>{time}</time>}
      </p>
      <div
        className={
          fromVisitor
            ? 'rounded-lg bg-accent-soft px-4 py-3 whitespace-pre-wrap [overflow-wrap:anywhere]'
            : 'rounded-lg border border-line bg-surface px-4 py-3 [overflow-wrap:anywhere]'
        }
      >
        {fromVisitor ? content : <ReplyText text={content} />}
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
