import { clsx } from 'clsx';
import { formatMoment, timeOf } from '../../ui/lib/zoned-times.ts';
import type { BookingRow } from '../bookings.ts';
import { BookingFacts } from './booking-facts.tsx';

interface BookingCardProps {
  booking: BookingRow;
  /** Time zone of the weekly hours. */
  zone: string;
  /** True if a heading above the card shows the day. */
  hasDayHeading?: boolean;
}

/** A call with its visitor, as a card below its day or as a row of a list. */
export function BookingCard({ booking, zone, hasDayHeading = false }: BookingCardProps) {
  const Heading = hasDayHeading ? 'h4' : 'h2';
  const begin = hasDayHeading ? timeOf(booking.starts_at, zone) : formatMoment(booking.starts_at, zone);
  return (
    <article
      className={clsx(
        'grid grid-cols-1 gap-3',
        hasDayHeading ? 'rounded-lg border border-line bg-surface p-4' : 'md:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]',
      )}
    >
      <header className="grid content-start gap-1.5">
        <p
          className={clsx(
            'font-mono text-label text-muted tabular-nums',
            booking.state === 'cancelled' && 'line-through',
          )}
        >
          {begin} to {timeOf(booking.ends_at, zone)}
        </p>
        <Heading className="font-semibold wrap-anywhere">{booking.name}</Heading>
      </header>
      <div className={clsx('grid grid-cols-1 content-start gap-3', !hasDayHeading && 'md:gap-1.5')}>
        <BookingFacts booking={booking} zone={zone} />
      </div>
    </article>
  );
}
