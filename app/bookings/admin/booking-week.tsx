import { useQuery } from '@tanstack/react-query';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { ButtonLink } from '../../ui/button.tsx';
import { useMediaQuery } from '../../ui/lib/use-media-query.ts';
import { addDays, dayOf, formatDay, startOfWeek } from '../../ui/lib/zoned-times.ts';
import { LoadingCards } from '../../ui/list/loading-cards.tsx';
import { LoadError } from '../../ui/load-error.tsx';
import { type Availability, availabilityQuery, bookingsBetweenQuery } from '../bookings.ts';
import { BookingOffNotice } from './availability-warnings.tsx';
import { BookingCard } from './booking-card.tsx';
import { DayHeading, type WeekDay } from './day-heading.tsx';
import { WeekAxis } from './week-axis.tsx';

/** The calls in a week by day, in the time zone of the weekly hours. */
export function BookingWeek({ week }: { week: string | undefined }) {
  const availability = useQuery(availabilityQuery);
  if (availability.isPending) return <LoadingCards text="Loading bookings..." height="h-24" />;
  if (availability.error) {
    return <LoadError error={availability.error} onRetry={() => void availability.refetch()} />;
  }
  const { time_zone: zone, hours } = availability.data;
  return (
    <div className="grid grid-cols-1 gap-6">
      {hours.length === 0 && <BookingOffNotice />}
      <Week monday={startOfWeek(week ?? dayOf(new Date().toISOString(), zone))} zone={zone} weeklyHours={hours} />
    </div>
  );
}

/** Formats a week as '23 to 29 November 2026' or '30 November to 6 December 2026'. */
function formatWeek(monday: string): string {
  const sunday = addDays(monday, 6);
  const isOneMonth = monday.slice(0, 7) === sunday.slice(0, 7);
  const first = formatDay(monday, { day: 'numeric', ...(!isOneMonth && { month: 'long' }) });
  return `${first} to ${formatDay(sunday, { day: 'numeric', month: 'long', year: 'numeric' })}`;
}

interface WeekProps {
  monday: string;
  zone: string;
  weeklyHours: Availability['hours'];
}

function Week({ monday, zone, weeklyHours }: WeekProps) {
  // One extra day on each side, because the week begins earlier or later in other time zones than in UTC.
  const list = useQuery(bookingsBetweenQuery(`${addDays(monday, -1)}T00:00Z`, `${addDays(monday, 8)}T00:00Z`));
  const isWide = useMediaQuery('(width >= 64rem)');
  const today = dayOf(new Date().toISOString(), zone);
  const days = [0, 1, 2, 3, 4, 5, 6].map((offset): WeekDay => {
    const day = addDays(monday, offset);
    const bookings = (list.data ?? []).filter(({ starts_at }) => dayOf(starts_at, zone) === day);
    return { day, isToday: day === today, bookings };
  });
  const isEmpty = list.data !== undefined && days.every(({ bookings }) => bookings.length === 0);
  return (
    <>
      <nav aria-label="Weeks" className="flex flex-wrap items-center justify-between gap-3">
        <h2 className="text-lg font-semibold" aria-live="polite">
          {formatWeek(monday)}{' '}
          <span className="ml-2 inline-block text-sm font-normal text-muted">{zone.replaceAll('_', ' ')}</span>
        </h2>
        <div className="flex gap-2">
          <WeekLink week={addDays(monday, -7)} label="Previous week">
            <ChevronLeft aria-hidden="true" />
          </WeekLink>
          <ButtonLink to="/admin/bookings" search={{ tab: 'week' }} variant="secondary" size="md">
            This week
          </ButtonLink>
          <WeekLink week={addDays(monday, 7)} label="Next week">
            <ChevronRight aria-hidden="true" />
          </WeekLink>
        </div>
      </nav>
      {list.error && <LoadError error={list.error} onRetry={() => void list.refetch()} />}
      {isEmpty && !(isWide && weeklyHours.length > 0) ? (
        <p className="rounded-lg border border-dashed border-line-strong p-8 text-center text-muted">
          No calls this week.
        </p>
      ) : isWide ? (
        <WeekAxis days={days} zone={zone} weeklyHours={weeklyHours} />
      ) : (
        <ol className="grid grid-cols-1 gap-4">
          {days.map((day) => (
            <li key={day.day} className="grid grid-cols-1 gap-2">
              <DayHeading {...day} />
              {day.bookings.map((booking) => (
                <BookingCard key={booking.id} booking={booking} zone={zone} />
              ))}
            </li>
          ))}
        </ol>
      )}
    </>
  );
}

function WeekLink({ week, label, children }: { week: string; label: string; children: React.ReactNode }) {
  return (
    <ButtonLink to="/admin/bookings" search={{ tab: 'week', week }} variant="secondary" size="icon" aria-label={label}>
      {children}
    </ButtonLink>
  );
}
