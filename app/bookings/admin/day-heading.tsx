import { clsx } from 'clsx';
import { dayInWords } from '../../ui/lib/zoned-times.ts';
import type { BookingRow } from '../bookings.ts';

/** A day of the week with its calls. */
export interface WeekDay {
  /** 2026-11-24 */
  day: string;
  isToday: boolean;
  /** In the order in which they begin. */
  bookings: readonly BookingRow[];
}

/** Names a day of the week, and says of an empty one that it is. */
export function DayHeading({ day, isToday, bookings, className }: WeekDay & { className?: string }) {
  return (
    <h3 className={clsx('text-sm', isToday ? 'font-semibold text-accent' : 'font-medium text-muted', className)}>
      {dayInWords(day, { weekday: 'short', day: 'numeric', month: 'short' })}
      <span>{isToday && ', today'}</span>
      {bookings.length === 0 && <span className="sr-only">: no calls</span>}
    </h3>
  );
}
