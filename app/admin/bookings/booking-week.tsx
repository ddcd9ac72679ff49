import { useQuery } from '@tanstack/react-query';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { availabilityQuery, type BookingRow, bookingsBetweenQuery } from '../../data/bookings/bookings.ts';
import { addDays, byDay, dayInWords, dayOf, startOfWeek } from '../../lib/zoned-times.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { LoadError } from '../../ui/load-error.tsx';
import { LoadingCards } from '../list/loading-cards.tsx';
import { BookingCard } from './booking-card.tsx';
import { NotOffered } from './not-offered.tsx';

/** The calls of a week by day, in the zone in which they are offered. */
export function BookingWeek({ week }: { week: string | undefined }) {
  const availability = useQuery(availabilityQuery);
  if (availability.isPending) return <LoadingCards text="Loading bookings..." height="h-24" />;
  if (availability.error) {
    return <LoadError error={availability.error} onRetry={() => void availability.refetch()} />;
  }
  const { time_zone: zone, hours } = availability.data;
  return (
    <div className="grid grid-cols-1 gap-6">
      {hours.length === 0 && <NotOffered />}
      <Week monday={startOfWeek(week ?? dayOf(new Date().toISOString(), zone))} zone={zone} />
    </div>
  );
}

function Week({ monday, zone }: { monday: string; zone: string }) {
  // A day more on either side, because the zone may be ahead of UTC or behind it.
  const list = useQuery(bookingsBetweenQuery(`${addDays(monday, -1)}T00:00Z`, `${addDays(monday, 8)}T00:00Z`));
  const bookings = list.data ?? [];
  const days = byDay([...new Set(bookings.map(({ starts_at }) => starts_at))], zone);
  const today = dayOf(new Date().toISOString(), zone);
  return (
    <>
      <nav aria-label="Weeks" className="flex flex-wrap items-center justify-between gap-3">
        <h2 className="text-lg font-semibold" aria-live="polite">
          {dayInWords(monday, { day: 'numeric', month: 'long' })} to{' '}
          {dayInWords(addDays(monday, 6), { day: 'numeric', month: 'long', year: 'numeric' })}
          <span className="ml-3 text-sm font-normal text-muted">{zone.replaceAll('_', ' ')}</span>
        </h2>
        <div className="flex gap-2">
          <WeekLink week={addDays(monday, -7)} label="Week before">
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
      <ol className="grid grid-cols-1 gap-4 lg:grid-cols-7 lg:gap-2">
        {[0, 1, 2, 3, 4, 5, 6].map((offset) => {
          const day = addDays(monday, offset);
          const moments = days.get(day) ?? [];
          return (
            <Day
              key={day}
              day={day}
              isToday={day === today}
              bookings={bookings.filter(({ starts_at }) => moments.includes(starts_at))}
              zone={zone}
            />
          );
        })}
      </ol>
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

interface DayProps {
  day: string;
  isToday: boolean;
  bookings: BookingRow[];
  zone: string;
}

function Day({ day, isToday, bookings, zone }: DayProps) {
  return (
    <li className="grid min-w-0 grid-cols-1 content-start gap-2 lg:min-h-48 lg:rounded-lg lg:bg-sunken lg:p-2">
      <h3 className={isToday ? 'text-sm font-semibold text-accent' : 'text-sm font-medium text-muted'}>
        {dayInWords(day, { weekday: 'short', day: 'numeric', month: 'short' })}
        {isToday && ', today'}
      </h3>
      {bookings.length === 0 && <p className="text-sm text-muted lg:sr-only">No calls</p>}
      {bookings.map((booking) => (
        <BookingCard key={booking.id} booking={booking} zone={zone} isUnderDay />
      ))}
    </li>
  );
}
