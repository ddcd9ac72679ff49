import { useQuery } from '@tanstack/react-query';
import { bookedCallsQuery } from '../../bookings/booked-calls.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { formatMoment, visitorZone } from '../../ui/lib/zoned-times.ts';
import { LoadError } from '../../ui/load-error.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';

/** Lists the user's booked calls, or shows a link to book a call. */
export default function BookedCalls() {
  const { data: calls, error, refetch } = useQuery(bookedCallsQuery);
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />;
  if (!calls) return <Skeleton className="h-40 rounded-lg" />;
  return (
    <Card className="grid grid-cols-1 content-start gap-4 p-4 sm:p-5">
      <h2 className="text-lg font-semibold">Your calls</h2>
      {calls.length === 0 ? (
        <>
          <p className="text-muted">No calls are booked with your email address.</p>
          <ButtonLink to="/" hash="booking" className="justify-self-start">
            Book a call
          </ButtonLink>
        </>
      ) : (
        <>
          <ul className="grid grid-cols-1 divide-y divide-line">
            {calls.map(({ id, starts_at, service }) => (
              <li key={id} className="grid gap-1 py-3 first:pt-0">
                <time dateTime={starts_at} className="font-medium">
                  {formatMoment(starts_at, visitorZone())}
                </time>
                {service && <p className="text-sm text-muted wrap-anywhere">About {service}</p>}
              </li>
            ))}
          </ul>
          <p className="text-sm text-muted">To reschedule or cancel a call, use the links in its confirmation email.</p>
        </>
      )}
    </Card>
  );
}
