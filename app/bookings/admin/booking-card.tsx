import { clsx } from 'clsx';
import { dayOf, formatDay, timeOf } from '../../ui/lib/zoned-times.ts';
import type { BookingRow } from '../bookings.ts';
import { BookingDetails, CancelAction, Contact, Request } from './booking-details.tsx';

interface BookingProps {
  booking: BookingRow;
  /** Time zone of the weekly hours. */
  zone: string;
}

/** A call with its visitor, below the heading of its day. */
export function BookingCard({ booking, zone }: BookingProps) {
  return (
    <article className="grid grid-cols-1 gap-3 rounded-lg border border-line bg-surface p-4">
      <header className="grid gap-1.5">
        <Time booking={booking} zone={zone} />
        <h4 className="font-semibold wrap-anywhere">{booking.name}</h4>
      </header>
      <BookingDetails booking={booking} zone={zone} />
    </article>
  );
}

/** A call as a row of a list, in columns on wide screens. */
export function BookingListRow({ booking, zone }: BookingProps) {
  const day = dayOf(booking.starts_at, zone);
  return (
    <article className="grid grid-cols-1 gap-x-6 gap-y-2 @2xl:grid-cols-[9rem_minmax(0,1fr)_auto] @5xl:grid-cols-[9rem_minmax(0,4fr)_minmax(0,3fr)_11.5rem]">
      <header className="flex flex-wrap items-baseline gap-x-3 gap-y-1 @2xl:grid @2xl:content-start">
        <p className={clsx('text-[0.9375rem]', booking.state === 'cancelled' && 'text-muted')}>
          {formatDay(day, { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' }).replace(',', '')}
        </p>
        <Time booking={booking} zone={zone} />
      </header>
      <div className="grid grid-cols-1 content-start gap-0.5">
        <h2 className="font-medium wrap-anywhere">{booking.name}</h2>
        <Contact booking={booking} />
      </div>
      <div className="empty:hidden @2xl:@max-5xl:col-start-2">
        <Request booking={booking} />
      </div>
      <div className="empty:hidden @2xl:col-start-3 @2xl:row-start-1 @2xl:justify-self-end @5xl:col-start-4">
        <CancelAction booking={booking} zone={zone} />
      </div>
    </article>
  );
}

function Time({ booking: { starts_at, ends_at, state }, zone }: BookingProps) {
  return (
    <p className={clsx('font-mono text-label text-muted tabular-nums', state === 'cancelled' && 'line-through')}>
      {timeOf(starts_at, zone)} to {timeOf(ends_at, zone)}
    </p>
  );
}
