import type { UseQueryResult } from '@tanstack/react-query';
import { clsx } from 'clsx';
import { useState } from 'react';
import { formatClock } from '../ui/lib/format-time.ts';
import { dayOf, formatDay, visitorZone } from '../ui/lib/zoned-times.ts';
import { Skeleton } from '../ui/skeleton.tsx';
import { type Client, phaseLabel } from './clients.ts';
import { currentDate } from './figures/progress.ts';
import { lateClients } from './figures/team-totals.ts';
import type { ClientStatus } from './team-overview.ts';

interface ClientFactsProps {
  client: Client;
  overview: Pick<UseQueryResult<ClientStatus[]>, 'data' | 'isPending'>;
  /** True for the larger layout in the page header. */
  isLarge?: boolean;
}

/** Shows the team a client's pending answers, latest figures, next due date and last visit. */
export function ClientFacts({ client, overview, isLarge = false }: ClientFactsProps) {
  const [now] = useState(() => new Date().toISOString());
  const status = overview.data?.find(({ id }) => id === client.id);
  const unknown = overview.isPending ? <Skeleton className="h-5 w-24" /> : 'Not available';
  return (
    <dl
      className={clsx(
        'grid grid-cols-2',
        isLarge
          ? 'divide-line @max-2xl:[&>*:nth-child(n+3)]:border-t @max-2xl:[&>*:nth-child(2n)]:border-l @2xl:grid-cols-4 @2xl:divide-x'
          : 'gap-x-4 gap-y-2 lg:grid-cols-4',
      )}
    >
      {listFacts(client, status, now).map(([value, detail, isLate], index) => (
        <div
          key={FACT_LABELS[index]}
          className={clsx('min-w-0', isLarge && 'border-line px-4 py-2.5 @2xl:min-h-22 @2xl:py-3')}
        >
          {/* Wide lists have a heading row instead. */}
          <dt className={clsx('font-mono text-label text-muted', !isLarge && 'xl:sr-only')}>{FACT_LABELS[index]}</dt>
          <dd className="text-sm [overflow-wrap:anywhere]">
            <p className={isLarge ? 'font-semibold max-sm:text-base sm:text-lg' : 'font-medium'}>{value ?? unknown}</p>
            {detail && <p className={clsx('line-clamp-2', isLate ? 'text-warning' : 'text-muted')}>{detail}</p>}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Labels of the facts, in display order. */
export const FACT_LABELS = ['Waiting for client', 'Last figures', 'Next due', 'Last opened'];

const SHORT_DATE = { day: 'numeric', month: 'short', year: 'numeric' } as const;

/** `value` is undefined while the status is unknown. */
type Fact = [value: string | undefined, detail?: string | undefined, isLate?: boolean];

function listFacts({ campaigns, ...client }: Client, status: ClientStatus | undefined, now: string): Fact[] {
  const isPast = (day: string) => day < currentDate(client, now);
  const next = campaigns.find(({ phase, due_on }) => phase !== 'done' && due_on !== null);
  const step = next && (next.next_step || `${next.name}, ${phaseLabel(next.phase).toLowerCase()}`);
  const due = next?.due_on;
  return [
    pendingFact(status, isPast),
    latestFiguresFact(status, now),
    [due ? formatDay(due, SHORT_DATE) : 'No date', step, !!due && isPast(due)],
    lastOpenedFact(status),
  ];
}

function pendingFact(status: ClientStatus | undefined, isPast: (day: string) => boolean): Fact {
  if (!status) return [undefined];
  const { waits_for_client: count, due_on } = status;
  const value = count === 0 ? 'Nothing' : `${count} ${count === 1 ? 'item' : 'items'}`;
  if (due_on === null) return [value];
  const day = formatDay(due_on, { day: 'numeric', month: 'short' });
  return [value, `${isPast(due_on) ? 'Was due' : 'By'} ${day}`, isPast(due_on)];
}

function latestFiguresFact(status: ClientStatus | undefined, now: string): Fact {
  const [late] = lateClients(status ? [status] : [], now);
  const value = status && (status.latest === null ? 'No figures yet' : formatDay(status.latest, SHORT_DATE));
  if (!late) return [value];
  const weeks = late.weeks === 1 ? 'A week' : late.weeks && `${late.weeks} weeks`;
  return [value, weeks ? `${weeks} late` : 'Late', true];
}

function lastOpenedFact(status: ClientStatus | undefined): Fact {
  const { read_at = null, unread = 0 } = status ?? {};
  const day = read_at === null ? 'Never' : formatDay(dayOf(read_at, visitorZone()), SHORT_DATE);
  const time = read_at === null ? undefined : formatClock(read_at);
  return [status && day, unread > 0 ? `${unread} unread for a week` : time, unread > 0];
}
