import { type RefObject, useState } from 'react';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { formatTime } from '../../ui/lib/format-time.ts';
import { useLinkedItem } from '../../ui/lib/use-linked-item.ts';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import type { Client } from '../clients.ts';
import { answerQuoteMutation, type Quote, withdrawQuoteMutation } from './quotes.ts';

interface QuoteRowProps {
  client: Pick<Client, 'id'>;
  quote: Quote;
  canAnswer: boolean;
  /** Element ID that links in pending lists use. */
  id: string | undefined;
  /** Receives keyboard focus when buttons of the row are removed. */
  focusAfter: RefObject<HTMLElement | null>;
}

/** Renders a quoted figure with the client's answer. */
export function QuoteRow({ client, quote, canAnswer, id, focusAfter }: QuoteRowProps) {
  const { words, title, path, answer, answered_by, answered_at, withdrawn_at } = quote;
  const changedAt = withdrawn_at ?? answered_at;
  return (
    <li
      ref={useLinkedItem(id)}
      id={id}
      tabIndex={-1}
      className="grid scroll-mt-24 grid-cols-1 gap-3 py-4 first:pt-0 last:pb-0"
    >
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div className="min-w-0">
          <p className="[overflow-wrap:anywhere]">{words ?? 'A figure that is no longer available'}</p>
          <p className="text-sm text-muted [overflow-wrap:anywhere]">
            {'On the page '}
            {path ? (
              <a href={path} className="underline underline-offset-4">
                {title}
              </a>
            ) : (
              <span>{title}, which is currently not public</span>
            )}
          </p>
          {changedAt && (
            <p className="text-sm text-muted [overflow-wrap:anywhere]">
              <time dateTime={changedAt}>{formatTime(changedAt)}</time>
              <span>{answered_by !== '' && `, ${answered_by}`}</span>
            </p>
          )}
        </div>
        <AnswerStatus quote={quote} />
      </div>
      {canAnswer && answer === null && <Answer clientId={client.id} quote={quote} focusAfter={focusAfter} />}
      {canAnswer && answer === 'yes' && !withdrawn_at && (
        <Withdraw clientId={client.id} quote={quote} focusAfter={focusAfter} />
      )}
    </li>
  );
}

function AnswerStatus({ quote: { answer, withdrawn_at } }: Pick<QuoteRowProps, 'quote'>) {
  if (withdrawn_at) return <Badge>Withdrawn</Badge>;
  if (answer === null) return <Badge tone="warning">Waiting for approval</Badge>;
  return answer === 'yes' ? <Badge tone="accent">Approved</Badge> : <Badge>Declined</Badge>;
}

interface ActionProps extends Pick<QuoteRowProps, 'quote' | 'focusAfter'> {
  clientId: string;
}

function Answer({ clientId, quote, focusAfter }: ActionProps) {
  const answerQuote = useMutationWithToasts(
    // Move focus before the quotes are refetched, which removes these buttons.
    { ...answerQuoteMutation, onSuccess: () => focusAfter.current?.focus() },
    { success: 'Answer saved', failure: 'Could not save your answer' },
  );
  return (
    <div className="grid gap-3">
      <p className="measure text-sm text-muted">
        May we show this figure? It is updated as new figures arrive. You can withdraw your consent at any time.
      </p>
      <div className="flex flex-wrap gap-3">
        <Button
          size="sm"
          loading={answerQuote.isPending && answerQuote.variables.answer === 'yes'}
          onClick={() => answerQuote.mutate({ clientId, quote, answer: 'yes' })}
        >
          Approve
        </Button>
        <Button
          variant="secondary"
          size="sm"
          loading={answerQuote.isPending && answerQuote.variables.answer === 'no'}
          onClick={() => answerQuote.mutate({ clientId, quote, answer: 'no' })}
        >
          Decline
        </Button>
      </div>
    </div>
  );
}

function Withdraw({ clientId, quote, focusAfter }: ActionProps) {
  const [isConfirming, setConfirming] = useState(false);
  const withdraw = useMutationWithToasts(withdrawQuoteMutation, {
    success: 'Consent withdrawn',
    failure: 'Could not withdraw your consent',
  });
  return (
    <div>
      <Button
        variant="secondary"
        size="sm"
        aria-label={`Withdraw consent: ${quote.words ?? 'a figure'}`}
        onClick={() => setConfirming(true)}
      >
        Withdraw consent
      </Button>
      <ConfirmDialog
        open={isConfirming}
        onOpenChange={setConfirming}
        title="Withdraw consent?"
        description={`The page “${quote.title}” will stop showing this figure. To show it again, we need your consent again.`}
        confirmLabel="Withdraw consent"
        loading={withdraw.isPending}
        focusAfter={focusAfter}
        onConfirm={() => withdraw.mutate({ clientId, id: quote.id }, { onSettled: () => setConfirming(false) })}
      />
    </div>
  );
}
