import { clsx } from 'clsx';
import type { BookingRow } from '../../data/bookings/bookings.ts';
import { momentInWords, timeOf } from '../../lib/zoned-times.ts';
import { BookingFacts } from './booking-facts.tsx';

interface BookingCardProps {
  booking: BookingRow;
  /** Time zone in which the owner offers calls. */
  zone: string;
  /** True when the day stands above the card already. */
  isUnderDay?: boolean;
}

/** Shows a call, and the person who booked it. */
export function BookingCard({ booking, zone, isUnderDay = false }: BookingCardProps) {
  const Heading = isUnderDay ? 'h4' : 'h2';
  const begin = isUnderDay ? timeOf(booking.starts_at, zone) : momentInWords(booking.starts_at, zone);
  return (
    <article className="grid grid-cols-1 gap-3 rounded-lg border border-line bg-surface p-4">
      <header className="grid gap-1.5">
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
      <BookingFacts booking={booking} zone={zone} />
    </article>
  );
}
