import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { bookingsBetweenQuery } from '../../bookings/bookings.ts';
import { formatClock } from '../../ui/lib/format-time.ts';
import { todayRange } from '../../ui/lib/today.ts';
import { Panel, ROW_LINK } from './panel.tsx';
import { remainingCalls } from './pending-tasks.ts';

/** Lists today's remaining calls in the viewer's time zone. Renders nothing if the list is empty. */
export function CallsToday() {
  const [[from, to]] = useState(todayRange);
  const { data, refetch } = useQuery(bookingsBetweenQuery(from, to));
  const calls = remainingCalls(data ?? []);
  if (calls.length === 0) return null;
  return (
    <Panel
      heading="Calls today"
      error={null}
      onRetry={() => void refetch()}
      none=""
      rows={calls.map(({ id, starts_at, name, service, email }) => (
        <li key={id}>
          <Link to="/admin/bookings" className={ROW_LINK}>
            <time dateTime={starts_at} className="w-14 shrink-0 font-mono text-label">
              {formatClock(starts_at)}
            </time>
            <span className="flex min-w-0 grow gap-x-3">
              <span className="max-w-2/3 shrink-0 truncate font-medium">{name}</span>
              {/* Truncated, because part of a wrapped email address could be mistaken for another address. */}
              <span className="truncate text-muted">{service || email}</span>
            </span>
          </Link>
        </li>
      ))}
    />
  );
}
