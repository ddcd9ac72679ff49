import { useQuery } from '@tanstack/react-query';
import { upcomingCallsQuery } from '../bookings/bookings.ts';
import { Card } from '../ui/card.tsx';
import { formatMoment, visitorZone } from '../ui/lib/zoned-times.ts';
import { LoadError } from '../ui/load-error.tsx';
import { Skeleton } from '../ui/skeleton.tsx';

/** Lists upcoming calls with leads owned by the team member. */
export default function TeamCalls() {
  const { data: calls, error, isPending, refetch } = useQuery(upcomingCallsQuery);
  return (
    <section aria-labelledby="calls-heading" className="grid grid-cols-1 gap-2.5">
      <h2 id="calls-heading" className="text-lg font-semibold">
        Your calls
      </h2>
      {isPending && <Skeleton className="h-20 rounded-lg" />}
      {error && <LoadError error={error} onRetry={() => void refetch()} />}
      {calls?.length === 0 && (
        <p className="measure text-muted">
          No calls are booked. Calls appear here when you own the lead of the person who booked.
        </p>
      )}
      {calls && calls.length > 0 && (
        <Card>
          <ul className="grid grid-cols-1 divide-y divide-line px-4 sm:px-5">
            {calls.map(({ id, starts_at, name, email, phone, service }) => (
              <li
                key={id}
                className="grid min-h-14 content-center gap-x-6 py-2 sm:grid-cols-[20rem_minmax(0,1fr)] sm:items-center"
              >
                <time dateTime={starts_at}>{formatMoment(starts_at, visitorZone())}</time>
                <div className="min-w-0 [overflow-wrap:anywhere]">
                  <p className="font-medium">{name}</p>
                  <p className="text-sm text-muted">{[email, phone, service].filter(Boolean).join(' · ')}</p>
                </div>
              </li>
            ))}
          </ul>
        </Card>
      )}
    </section>
  );
}
