import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Card } from '../../ui/card.tsx';
import { formatDate } from '../../ui/lib/format-date.ts';
import { addDays } from '../../ui/lib/zoned-times.ts';
import { LoadError } from '../../ui/load-error.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import type { Client } from '../clients.ts';
import { formatMoney } from '../fees/fees.ts';
import { currentDate, formatPeriod } from '../figures/progress.ts';
import type { OpenTab } from '../open-tab.ts';
import { type Cost, funnelQuery } from './funnel.ts';
import { isEmptyFunnel } from './funnel-schema.ts';
import { FunnelSteps } from './funnel-steps.tsx';

const DAYS = 90;

interface ClientFunnelProps {
  client: Pick<Client, 'id' | 'name' | 'currency' | 'time_zone' | 'first_weekday'>;
  openTab: OpenTab;
  /** True in the impersonated view. Omits the section label to avoid duplicate landmarks. */
  isImpersonated?: boolean;
  headingLevel: 2 | 3;
}

/** Shows the funnel of the last 90 days, with costs if a fee is set and the user can see amounts. */
export function ClientFunnel({ client, openTab, isImpersonated = false, headingLevel }: ClientFunnelProps) {
  const Heading = `h${headingLevel}` as const;
  const [today] = useState(() => currentDate(client, new Date().toISOString()));
  const period = { first: addDays(today, 1 - DAYS), last: today };
  const { data: funnel, error, isPending, refetch } = useQuery(funnelQuery(client.id, period));
  return (
    <section aria-label={isImpersonated ? undefined : `Funnel, ${client.name}`} className="grid grid-cols-1 gap-1.5">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <Heading className="text-lg font-semibold">Funnel</Heading>
        <p className="font-mono text-label text-muted">{`Last ${DAYS} days, ${formatPeriod(period)}`}</p>
      </div>
      {isPending && <Skeleton className="h-84 rounded-lg lg:h-26" />}
      {error && <LoadError error={error} onRetry={() => void refetch()} />}
      {funnel && isEmptyFunnel(funnel) && (
        <Card className="p-5">
          <p className="measure text-muted">
            No figures in this period. The funnel shows the results of campaigns, from delivered messages to won deals.
          </p>
        </Card>
      )}
      {funnel && !isEmptyFunnel(funnel) && (
        <Card className="grid grid-cols-1 divide-y divide-line overflow-hidden">
          <FunnelSteps client={client} funnel={funnel} onOpen={openTab.open} />
          {funnel.cost && <Costs cost={funnel.cost} currency={client.currency} />}
        </Card>
      )}
    </section>
  );
}

function Costs({ cost: { fee, since, per_held, per_won }, currency }: { cost: Cost; currency: string }) {
  const costs = [
    ['Fee in this period', formatMoney(fee, currency), since !== null && `since ${formatDate(since)}`],
    ['Per meeting held', per_held === null ? 'None held yet' : formatMoney(per_held, currency), false],
    ['Per won deal', per_won === null ? 'None won yet' : formatMoney(per_won, currency), false],
  ] as const;
  return (
    <dl className="flex flex-wrap gap-x-8 gap-y-2 px-4 py-3 text-sm">
      {costs.map(([label, amount, detail]) => (
        <div key={label} className="flex flex-wrap items-baseline gap-x-2">
          <dt className="text-muted">{label}</dt>
          <dd className="font-medium">{amount}</dd>
          {detail && <dd className="text-muted">{detail}</dd>}
        </div>
      ))}
    </dl>
  );
}
