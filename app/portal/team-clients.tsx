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

/** Assigned clients with overdue figures, items pending on either side, and the time of the last visit. */
export default function TeamClients() {
  const {
    data: clients,
    error,
    isPending,
    refetch,
  } = useQuery({ ...overviewQuery, refetchInterval: MEMBERSHIP_POLL_MS });
  const { data: alarmed } = useQuery(alarmedQuery);
  return (
    <section aria-labelledby="clients" className="grid grid-cols-1 gap-6">
      <h2 id="clients" tabIndex={-1} className="scroll-mt-24 text-display-3">
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
        <ul className="grid grid-cols-1 gap-3 lg:grid-cols-2">
          {clients.map((client) => (
            <li key={client.id}>
              <ClientCard client={client} hasAlarm={alarmed?.has(client.id) === true} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function ClientCard({ client, hasAlarm }: { client: ClientStatus; hasAlarm: boolean }) {
  const [now] = useState(() => new Date().toISOString());
  const [late] = lateClients([client], now);
  const { id, name, domain, waits_for_client, due_on, waits_for_us, unread, read_at } = client;
  return (
    <Card className="grid h-full grid-cols-1 content-start gap-3 p-5">
      <div className="min-w-0">
        <h3 className="text-lg font-semibold [overflow-wrap:anywhere]">
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
      <p className="text-sm text-muted">
        {read_at ? `Last opened ${formatTime(read_at)}` : 'Never opened by the client'}
      </p>
    </Card>
  );
}
