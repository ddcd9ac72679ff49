import { useQuery } from '@tanstack/react-query';
import { clsx } from 'clsx';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import {
  type Availability,
  availabilityQuery,
  type BookingRow,
  bookingsBetweenQuery,
} from '../../data/bookings/bookings.ts';
import { addDays, byDay, dayInWords, dayOf, startOfWeek, timeOf } from '../../lib/zoned-times.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { LoadError } from '../../ui/load-error.tsx';
import { LoadingCards } from '../list/loading-cards.tsx';
import { BookingCard } from './booking-card.tsx';
import { hourOfClock, hoursOfAxis } from './hours-of-axis.ts';
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
      <Week monday={startOfWeek(week ?? dayOf(new Date().toISOString(), zone))} zone={zone} offered={hours} />
    </div>
  );
}

interface WeekProps {
  monday: string;
  zone: string;
  offered: Availability['hours'];
}

function Week({ monday, zone, offered }: WeekProps) {
  // A day more on either side, because the zone may be ahead of UTC or behind it.
  const list = useQuery(bookingsBetweenQuery(`${addDays(monday, -1)}T00:00Z`, `${addDays(monday, 8)}T00:00Z`));
  const bookings = list.data ?? [];
  const days = byDay([...new Set(bookings.map(({ starts_at }) => starts_at))], zone);
  const today = dayOf(new Date().toISOString(), zone);
  const ofTheWeek = bookings.filter(({ starts_at }) => startOfWeek(dayOf(starts_at, zone)) === monday);
  const hours = hoursOfAxis(
    offered,
    ofTheWeek.map(({ starts_at }) => hourOfClock(timeOf(starts_at, zone))),
  );
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
      <ol
        style={{ '--hours': hours.length }}
        className="grid grid-cols-1 gap-4 lg:grid-cols-[3rem_repeat(7,minmax(0,1fr))] lg:grid-rows-[auto_repeat(var(--hours),minmax(2.75rem,auto))] lg:gap-x-2 lg:gap-y-0"
      >
        <li aria-hidden="true" className="row-span-full hidden grid-rows-subgrid lg:grid">
          {hours.map((hour, index) => (
            <span
              key={hour}
              style={{ '--row': index + 2 }}
              className="row-start-(--row) -mt-2 text-right font-mono text-label text-muted tabular-nums"
            >
              {String(hour).padStart(2, '0')}:00
            </span>
          ))}
        </li>
        {[0, 1, 2, 3, 4, 5, 6].map((offset) => {
          const day = addDays(monday, offset);
          const moments = days.get(day) ?? [];
          return (
            <Day
              key={day}
              day={day}
              isToday={day === today}
              hours={hours}
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
  /** Hours of the axis, each a row where there is room for a week. */
  hours: readonly number[];
  bookings: BookingRow[];
  zone: string;
}

function Day({ day, isToday, hours, bookings, zone }: DayProps) {
  return (
    <li className="grid min-w-0 grid-cols-1 content-start gap-2 lg:row-span-full lg:grid-rows-subgrid lg:gap-0 lg:rounded-lg lg:bg-sunken">
      <h3 className={clsx('text-sm lg:p-2 lg:pb-3', isToday ? 'font-semibold text-accent' : 'font-medium text-muted')}>
        {dayInWords(day, { weekday: 'short', day: 'numeric', month: 'short' })}
        {isToday && ', today'}
      </h3>
      {bookings.length === 0 && <p className="text-sm text-muted lg:sr-only">No calls</p>}
      {hours.map((hour, index) => {
        const ofTheHour = bookings.filter(({ starts_at }) => hourOfClock(timeOf(starts_at, zone)) === hour);
        return (
          <div
            key={hour}
            style={{ '--row': index + 2 }}
            className={clsx(
              'grid min-w-0 grid-cols-1 content-start gap-2 lg:row-start-(--row) lg:border-t lg:border-line lg:p-1',
              ofTheHour.length === 0 && 'max-lg:hidden',
            )}
          >
            {ofTheHour.map((booking) => (
              <BookingCard key={booking.id} booking={booking} zone={zone} isUnderDay />
            ))}
          </div>
        );
      })}
    </li>
  );
}
