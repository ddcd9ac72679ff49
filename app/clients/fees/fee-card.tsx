import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { formatTime } from '../../ui/lib/format-time.ts';
import { LoadError } from '../../ui/load-error.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import type { Client } from '../clients.ts';
import { currentDate } from '../figures/progress.ts';
import { FeeDialog } from './fee-dialog.tsx';
import { type Fee, feesQuery, findFee, formatFee } from './fees.ts';

interface FeeCardProps {
  client: Pick<Client, 'id' | 'name' | 'currency' | 'time_zone' | 'first_weekday'>;
}

/** Shows the team a client's current monthly fee and its changes, with a button to set the fee. */
export function FeeCard({ client }: FeeCardProps) {
  const [today] = useState(() => currentDate(client, new Date().toISOString()));
  const heading = useRef<HTMLHeadingElement>(null);
  // Keep the fee number that was current when the dialog opened, because a colleague may change the fee.
  const [formerNumber, setFormerNumber] = useState<number | null>(null);
  const { data: fees, error, isPending, refetch } = useQuery(feesQuery(client.id));
  const current = fees && findFee(today, fees);
  const verb = fees?.length === 0 ? 'Set' : 'Change';
  return (
    <section aria-label={`Monthly fee, ${client.name}`}>
      <Card className="grid grid-cols-1 gap-3 p-5">
        <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
          <h2 ref={heading} tabIndex={-1} className="scroll-mt-24 text-lg font-semibold">
            Monthly fee
          </h2>
          {isPending && <Skeleton className="h-6 w-24 rounded-md" />}
          {fees && <p>{current ? formatFee(current, client.currency) : 'Not set'}</p>}
          {fees && (
            <Button
              variant="secondary"
              size="sm"
              className="ml-auto"
              aria-label={`${verb} the monthly fee for ${client.name}`}
              onClick={() => setFormerNumber(fees[0]?.number ?? 0)}
            >
              {verb}
            </Button>
          )}
        </div>
        {error && <LoadError error={error} onRetry={() => void refetch()} />}
        <p className="text-sm text-muted">
          The client’s approvers see what each meeting and deal costs. Viewers do not.
        </p>
        {fees && fees.length > 0 && <Changes fees={fees} currency={client.currency} />}
      </Card>
      {formerNumber !== null && (
        <FeeDialog
          client={client}
          today={today}
          formerNumber={formerNumber}
          focusAfter={heading}
          onClose={() => setFormerNumber(null)}
        />
      )}
    </section>
  );
}

function Changes({ fees, currency }: { fees: readonly Fee[]; currency: string }) {
  return (
    <details className="text-sm">
      <summary className="w-fit cursor-pointer rounded-sm text-muted hover:text-ink">Changes</summary>
      <ol aria-label="Fee changes" className="grid gap-2 pt-2">
        {fees.map((fee) => (
          <li key={fee.number} className="[overflow-wrap:anywhere]">
            <span className="font-medium">{formatFee(fee, currency)}</span>
            <span className="text-muted">{fee.set_by !== '' && `, ${fee.set_by}`}</span>
            <time className="text-muted" dateTime={fee.created_at}>{`, ${formatTime(fee.created_at)}`}</time>
          </li>
        ))}
      </ol>
    </details>
  );
}
