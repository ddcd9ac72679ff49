import { clsx } from 'clsx';
import { Fragment, type ReactNode } from 'react';
import '../../editing/merge-text/merge-field.css';
import { MERGE_FIELD } from '../../ui/lib/merge-fields.ts';
import { textEdits } from '../../ui/lib/text-difference.ts';
import { parseMessage } from './message.ts';

interface MessageSheetProps {
  /** Name of the client, shown as the sender. */
  from: string;
  text: string;
  /** Previous version, to mark the differences. Null for the first version. */
  formerText?: string | null;
}

/**
 * Renders a text as the message that will be sent, with sender, subject and body. Merge fields are chips. Lines have
 * about 65 characters.
 */
export function MessageSheet({ from, text, formerText = null }: MessageSheetProps) {
  const message = parseMessage(text);
  const former = formerText === null ? message : parseMessage(formerText);
  return (
    <div className="max-w-196 overflow-hidden rounded-md border border-line bg-surface shadow-sm [overflow-wrap:anywhere]">
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 border-b border-line px-5 py-3 sm:px-10">
        <dt className="text-muted">From</dt>
        <dd>{from}</dd>
        {(message.subject || former.subject) && (
          <>
            <dt className="text-muted">Subject</dt>
            <dd className="font-medium">
              <MarkedText before={former.subject} after={message.subject} />
            </dd>
          </>
        )}
      </dl>
      <p className="max-w-160 px-5 py-5 leading-relaxed whitespace-pre-wrap sm:px-10 sm:py-7">
        <MarkedText before={former.body} after={message.body} />
      </p>
    </div>
  );
}

/** Marks insertions and deletions by underline and strikethrough, because colour must not be the only cue. */
function MarkedText({ before, after }: { before: string; after: string }) {
  const edits = textEdits(before, after);
  return edits.map(({ text, change }, index) => {
    const Tag = { none: Fragment, removed: 'del', added: 'ins' }[change];
    const previous = edits[index - 1];
    const isBesideRemoved = previous?.change === 'removed' && !previous.text.endsWith('\n');
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: edits have no identity except their position
      <Tag key={index} {...(change !== 'none' && { className: clsx(EDIT_CLASSES[change], isBesideRemoved && 'ml-1') })}>
        {renderChips(text)}
      </Tag>
    );
  });
}

const EDIT_CLASSES = {
  removed: 'rounded-sm bg-danger-soft text-danger decoration-1',
  added: 'rounded-sm bg-accent-soft text-ink underline decoration-1 underline-offset-3',
};

function renderChips(text: string): ReactNode[] {
  const parts: ReactNode[] = [];
  let end = 0;
  for (const { index, 0: field } of text.matchAll(MERGE_FIELD)) {
    parts.push(
      text.slice(end, index),
      <span key={index} className="rich-field">
        {field}
      </span>,
    );
    end = index + field.length;
  }
  return [...parts, text.slice(end)];
}

/** Renders a message with its changes marked and with the previous version collapsed below. */
export function MessageWithPrevious({ from, text, formerText = null }: MessageSheetProps) {
  return (
    <div className="grid grid-cols-1 gap-3">
      <MessageSheet from={from} text={text} formerText={formerText} />
      {formerText !== null && (
        <details>
          <summary className="w-fit cursor-pointer rounded-sm py-1 text-muted underline underline-offset-4 hover:text-ink">
            Show previous version
          </summary>
          <div className="pt-3">
            <MessageSheet from={from} text={formerText} />
          </div>
        </details>
      )}
    </div>
  );
}
