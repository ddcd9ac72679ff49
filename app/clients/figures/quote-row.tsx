import { type RefObject, useState } from 'react';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { formatTime } from '../../ui/lib/format-time.ts';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import type { Client } from '../clients.ts';
import { answerQuoteMutation, type Quote, withdrawQuoteMutation } from './quotes.ts';

interface QuoteRowProps {
  client: Pick<Client, 'id'>;
  quote: Quote;
  /** True for the approvers of the client. */
  canAnswer: boolean;
  /** Takes the focus when buttons of the row go. */
  focusAfter: RefObject<HTMLElement | null>;
}

/** A figure on a page of ours, with what the client says to it. */
export function QuoteRow({ client, quote, canAnswer, focusAfter }: QuoteRowProps) {
  const { words, title, path, answer, answered_by, answered_at, withdrawn_at } = quote;
  const when = withdrawn_at ?? answered_at;
  return (
    <li className="grid grid-cols-1 gap-3 py-4 first:pt-0 last:pb-0">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div className="min-w-0">
          <p className="[overflow-wrap:anywhere]">{words ?? 'A figure that does not count any more'}</p>
          <p className="text-sm text-muted [overflow-wrap:anywhere]">
            {'On the page '}
            {path ? (
              <a href={path} className="underline underline-offset-4">
                {title}
              </a>
            ) : (
              <span>{title}, which is not public now</span>
            )}
          </p>
          {when && (
            <p className="text-sm text-muted [overflow-wrap:anywhere]">
              <time dateTime={when}>{formatTime(when)}</time>
              <span>{answered_by !== '' && `, ${answered_by}`}</span>
            </p>
          )}
        </div>
        <Standing quote={quote} />
      </div>
      {canAnswer && answer === null && <Answer clientId={client.id} quote={quote} focusAfter={focusAfter} />}
      {canAnswer && answer === 'yes' && !withdrawn_at && (
        <Withdraw clientId={client.id} quote={quote} focusAfter={focusAfter} />
      )}
    </li>
  );
}

function Standing({ quote: { answer, withdrawn_at } }: Pick<QuoteRowProps, 'quote'>) {
  if (withdrawn_at) return <Badge>Withdrawn</Badge>;
  if (answer === null) return <Badge tone="warning">Waits for a yes</Badge>;
  return answer === 'yes' ? <Badge tone="accent">Agreed</Badge> : <Badge>Declined</Badge>;
}

interface ActionProps extends Pick<QuoteRowProps, 'quote' | 'focusAfter'> {
  clientId: string;
}

function Answer({ clientId, quote, focusAfter }: ActionProps) {
  const say = useMutationWithToasts(
    // Before the quotes are asked for again, and these buttons go.
    { ...answerQuoteMutation, onSuccess: () => focusAfter.current?.focus() },
    { success: 'Your answer was taken', failure: 'Your answer was not taken' },
  );
  return (
    <div className="grid gap-3">
      <p className="measure text-sm text-muted">
        May we show this figure? It follows what is counted, and you can take your yes back at any time.
      </p>
      <div className="flex flex-wrap gap-3">
        <Button
          size="sm"
          loading={say.isPending && say.variables.answer === 'yes'}
          onClick={() => say.mutate({ clientId, quote, answer: 'yes' })}
        >
          Yes, quote it
        </Button>
        <Button
          variant="secondary"
          size="sm"
          loading={say.isPending && say.variables.answer === 'no'}
          onClick={() => say.mutate({ clientId, quote, answer: 'no' })}
        >
          No
        </Button>
      </div>
    </div>
  );
}

function Withdraw({ clientId, quote, focusAfter }: ActionProps) {
  const [isAsking, setAsking] = useState(false);
  const withdraw = useMutationWithToasts(withdrawQuoteMutation, {
    success: 'Your yes is withdrawn',
    failure: 'Your yes was not withdrawn',
  });
  return (
    <div>
      <Button
        variant="secondary"
        size="sm"
        aria-label={`Take the yes back: ${quote.words ?? 'a figure'}`}
        onClick={() => setAsking(true)}
      >
        Take the yes back
      </Button>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title="Take the yes back?"
        description={`The page “${quote.title}” shows nothing of this figure from then on. We would have to ask you again.`}
        confirmLabel="Take it back"
        loading={withdraw.isPending}
        focusAfter={focusAfter}
        onConfirm={() => withdraw.mutate({ clientId, id: quote.id }, { onSettled: () => setAsking(false) })}
      />
    </div>
  );
}
