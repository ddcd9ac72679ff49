import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { endQuoteMutation, type ProjectQuote, projectQuoteQuery } from '../../clients/figures/quotes.ts';
import { useSiteZone } from '../../settings/use-site-zone.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { formatDayOf } from '../../ui/lib/format-date.ts';
import { LoadError } from '../../ui/load-error.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import { RequestQuoteDialog } from './request-quote-dialog.tsx';

/** Shows the client figure quoted on a project page. Rendered below the form. Changes are saved immediately. */
export default function QuotedFigure({ id }: { id: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const [isConfirming, setConfirming] = useState(false);
  const zone = useSiteZone();
  const { data: quote, error, isPending, refetch } = useQuery(projectQuoteQuery(id));
  return (
    <section aria-labelledby="quoted-figure">
      <Card className="grid grid-cols-1 justify-items-start gap-3 p-5">
        <h2 id="quoted-figure" ref={heading} tabIndex={-1} className="scroll-mt-24 text-lg font-semibold">
          Client figure
        </h2>
        {isPending && <Skeleton className="h-12 w-full" />}
        {error && <LoadError error={error} onRetry={() => void refetch()} />}
        {quote !== undefined && (
          <p className="measure text-muted [overflow-wrap:anywhere]">{quoteStatusText(quote, zone)}</p>
        )}
        {quote !== undefined && !isCurrent(quote) && (
          <Button variant="secondary" size="sm" onClick={() => setConfirming(true)}>
            {quote ? 'Quote another figure' : 'Quote a figure'}
          </Button>
        )}
        {isCurrent(quote) && <RemoveQuote id={id} isShown={quote.answer === 'yes'} focusAfter={heading} />}
      </Card>
      {isConfirming && <RequestQuoteDialog projectId={id} onClose={() => setConfirming(false)} />}
    </section>
  );
}

/** Returns whether a quote is shown or pending. */
function isCurrent(quote: ProjectQuote | null | undefined): quote is ProjectQuote {
  return !!quote && quote.answer !== 'no' && quote.withdrawn_at === null;
}

function quoteStatusText(quote: ProjectQuote | null, zone: string): string {
  if (!quote)
    return 'The page can quote a client’s figure in place of the key metric. The client must approve it first. The page names the months, updates the figure as new data arrives, and removes it if the client withdraws their consent.';
  const { client, words, answer, answered_at, withdrawn_at } = quote;
  const figure = words === null ? 'a figure that is no longer available' : `“${words}”`;
  if (withdrawn_at)
    return `${client} withdrew their consent to quote ${figure} on ${formatDayOf(withdrawn_at, zone)}. The page does not show it.`;
  if (answer === null) return `Waiting for approval by ${client}: ${figure}. The page does not show this figure yet.`;
  if (answer === 'no') return `${client} declined ${figure}. The page does not show it.`;
  return `The page shows ${figure} in place of the key metric. ${client} approved it on ${formatDayOf(answered_at ?? '', zone)}.`;
}

interface RemoveQuoteProps {
  id: string;
  isShown: boolean;
  focusAfter: React.RefObject<HTMLElement | null>;
}

function RemoveQuote({ id, isShown, focusAfter }: RemoveQuoteProps) {
  const [isConfirming, setConfirming] = useState(false);
  const removeQuote = useMutationWithToasts(endQuoteMutation, {
    success: isShown ? 'Figure removed from the page' : 'Request withdrawn',
    failure: isShown ? 'Error removing the figure' : 'Error withdrawing the request',
  });
  return (
    <>
      <Button variant="secondary" size="sm" onClick={() => setConfirming(true)}>
        {isShown ? 'Remove from the page' : 'Withdraw request'}
      </Button>
      <ConfirmDialog
        open={isConfirming}
        onOpenChange={setConfirming}
        title={isShown ? 'Remove the figure from the page?' : 'Withdraw the request?'}
        description="To quote it again, you need the client’s consent again."
        confirmLabel={isShown ? 'Remove' : 'Withdraw'}
        loading={removeQuote.isPending}
        focusAfter={focusAfter}
        onConfirm={() => removeQuote.mutate(id, { onSettled: () => setConfirming(false) })}
      />
    </>
  );
}
