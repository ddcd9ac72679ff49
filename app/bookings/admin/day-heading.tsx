import { clsx } from 'clsx';
import { formatDay } from '../../ui/lib/zoned-times.ts';
import type { BookingRow } from '../bookings.ts';

/** Weekday with its calls. */
export interface WeekDay {
  /** ISO date: 2026-11-24. */
  day: string;
  isToday: boolean;
  /** Sorted by start. */
  bookings: readonly BookingRow[];
}

/** Heading of a day, with a note if it has no calls. */
export function DayHeading({ day, isToday, bookings, className }: WeekDay & { className?: string }) {
  return (
    <h3 className={clsx('text-sm', isToday ? 'font-semibold text-accent' : 'font-medium text-muted', className)}>
      {formatDay(day, { weekday: 'short', day: 'numeric', month: 'short' })}
      <span>{isToday && ', today'}</span>
      {bookings.length === 0 && <span className="font-normal text-muted lg:sr-only">: no calls</span>}
    </h3>
  );
}
