import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { MEMBERSHIP_POLL_MS } from '../accounts/use-client-membership.ts';
import { lateClients } from '../clients/figures/team-totals.ts';
import { alarmedQuery, type ClientStatus, overviewQuery } from '../clients/team-overview.ts';
import { Badge } from '../ui/badge.tsx';
import { Card } from '../ui/card.tsx';
import { formatDate } from '../ui/lib/format-date.ts';
import { formatTime } from '../ui/lib/format-time.ts';
import { formatDay } from '../ui/lib/zoned-times.ts';
import { LoadError } from '../ui/load-error.tsx';
import { Skeleton } from '../ui/skeleton.tsx';

/** Lists assigned clients with alarms, late figures, pending items and the last visit. */
export default function TeamClients() {
  const {
    data: clients,
    error,
    isPending,
    refetch,
  } = useQuery({ ...overviewQuery, refetchInterval: MEMBERSHIP_POLL_MS });
  const { data: alarmed } = useQuery(alarmedQuery);
  return (
    <section aria-labelledby="clients" className="grid grid-cols-1 gap-2.5">
      <h2 id="clients" tabIndex={-1} className="scroll-mt-24 text-lg font-semibold">
        Clients
      </h2>
      {isPending && (
        <div className="grid gap-3">
          <p role="status" className="text-muted">
            Loading clients...
          </p>
          <Skeleton className="h-28 rounded-lg" />
        </div>
      )}
      {error && <LoadError error={error} onRetry={() => void refetch()} />}
      {clients?.length === 0 && <p className="text-muted">You are no longer assigned to a client.</p>}
      {clients && clients.length > 0 && (
        <Card>
          <ul className="grid grid-cols-1 divide-y divide-line px-4 sm:px-5">
            {clients.map((client) => (
              <ClientRow key={client.id} client={client} hasAlarm={alarmed?.has(client.id) === true} />
            ))}
          </ul>
        </Card>
      )}
    </section>
  );
}

function ClientRow({ client, hasAlarm }: { client: ClientStatus; hasAlarm: boolean }) {
  const [now] = useState(() => new Date().toISOString());
  const [late] = lateClients([client], now);
  const { id, name, domain, waits_for_client, due_on, waits_for_us, unread, read_at } = client;
  return (
    <li className="flex min-h-14 flex-wrap items-center gap-x-6 gap-y-2 py-2">
      <div className="min-w-0 grow basis-60">
        <h3 className="font-medium [overflow-wrap:anywhere]">
          <Link
            to="/team-dashboard/clients/$id"
            params={{ id }}
            className="underline decoration-line-strong underline-offset-4 hover:decoration-current"
          >
            {name}
          </Link>
        </h3>
        {domain !== '' && <p className="text-sm text-muted [overflow-wrap:anywhere]">{domain}</p>}
      </div>
      <ul className="flex flex-wrap gap-2 empty:hidden">
        {hasAlarm && (
          <li>
            <Badge tone="danger">Alarm</Badge>
          </li>
        )}
        {late && (
          <li>
            <Badge tone="warning">
              {late.latest === null ? 'No figures yet' : `Figures until ${formatDate(late.latest)}`}
            </Badge>
          </li>
        )}
        {waits_for_us > 0 && (
          <li>
            <Badge tone="warning">{`${waits_for_us} waiting for us`}</Badge>
          </li>
        )}
        {unread > 0 && (
          <li>
            <Badge tone="warning">{`${unread} unread for a week`}</Badge>
          </li>
        )}
        {waits_for_client > 0 && (
          <li>
            <Badge>
              {`${waits_for_client} waiting for the client${due_on ? `, by ${formatDay(due_on, { day: 'numeric', month: 'short' })}` : ''}`}
            </Badge>
          </li>
        )}
      </ul>
      <p className="text-sm text-muted lg:w-60 lg:text-right">
        {read_at ? `Last opened ${formatTime(read_at)}` : 'Never opened by the client'}
      </p>
    </li>
  );
}
