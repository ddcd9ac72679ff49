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
import { AskQuoteDialog } from './ask-quote-dialog.tsx';

/** Below the form of a project: the figure of a client that its page quotes, which is asked for and taken off at once. */
export default function QuotedFigure({ id }: { id: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const [isAsking, setAsking] = useState(false);
  const zone = useSiteZone();
  const { data: quote, error, isPending, refetch } = useQuery(projectQuoteQuery(id));
  return (
    <section aria-labelledby="quoted-figure">
      <Card className="grid grid-cols-1 justify-items-start gap-3 p-5">
        <h2 id="quoted-figure" ref={heading} tabIndex={-1} className="scroll-mt-24 text-lg font-semibold">
          Figure of a client
        </h2>
        {isPending && <Skeleton className="h-12 w-full" />}
        {error && <LoadError error={error} onRetry={() => void refetch()} />}
        {quote !== undefined && (
          <p className="measure text-muted [overflow-wrap:anywhere]">{standingInWords(quote, zone)}</p>
        )}
        {quote !== undefined && !isCurrent(quote) && (
          <Button variant="secondary" size="sm" onClick={() => setAsking(true)}>
            {quote ? 'Quote another figure' : 'Quote a figure'}
          </Button>
        )}
        {isCurrent(quote) && <TakeOff id={id} isShown={quote.answer === 'yes'} focusAfter={heading} />}
      </Card>
      {isAsking && <AskQuoteDialog projectId={id} onClose={() => setAsking(false)} />}
    </section>
  );
}

/** Tells whether a quote is shown, or waits for a yes. */
function isCurrent(quote: ProjectQuote | null | undefined): quote is ProjectQuote {
  return !!quote && quote.answer !== 'no' && quote.withdrawn_at === null;
}

function standingInWords(quote: ProjectQuote | null, zone: string): string {
  if (!quote)
    return 'The page can quote a figure of a client in place of the key metric. It needs the client’s yes, shows its months, follows the figure as it is counted, and goes when they take the yes back.';
  const { client, words, answer, answered_at, withdrawn_at } = quote;
  const figure = words === null ? 'a figure that does not count any more' : `“${words}”`;
  if (withdrawn_at)
    return `${client} took back their yes to ${figure} on ${formatDayOf(withdrawn_at, zone)}. The page does not show the figure.`;
  if (answer === null) return `Waits for the yes of ${client}: ${figure}. The page does not show the figure before.`;
  if (answer === 'no') return `${client} declined ${figure}. The page does not show the figure.`;
  return `The page shows ${figure} in place of the key metric. ${client} agreed on ${formatDayOf(answered_at ?? '', zone)}.`;
}

interface TakeOffProps {
  id: string;
  isShown: boolean;
  focusAfter: React.RefObject<HTMLElement | null>;
}

function TakeOff({ id, isShown, focusAfter }: TakeOffProps) {
  const [isAsking, setAsking] = useState(false);
  const end = useMutationWithToasts(endQuoteMutation, {
    success: isShown ? 'The figure is off the page' : 'The question is taken back',
    failure: isShown ? 'Error taking the figure off the page' : 'Error taking the question back',
  });
  return (
    <>
      <Button variant="secondary" size="sm" onClick={() => setAsking(true)}>
        {isShown ? 'Take it off the page' : 'Take the question back'}
      </Button>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title={isShown ? 'Take the figure off the page?' : 'Take the question back?'}
        description="To quote it again, the client has to be asked again."
        confirmLabel={isShown ? 'Take it off' : 'Take it back'}
        loading={end.isPending}
        focusAfter={focusAfter}
        onConfirm={() => end.mutate(id, { onSettled: () => setAsking(false) })}
      />
    </>
  );
}
