import { clsx } from 'clsx';
import { useState } from 'react';
import { Dialog } from '../../ui/dialog.tsx';
import { formatMoment, timeOf } from '../../ui/lib/zoned-times.ts';
import type { Availability, BookingRow } from '../bookings.ts';
import { axisHours, callSpan, hoursSpan, type PlacedItem, placeSideBySide, type Span } from './axis-layout.ts';
import { BookingDetails } from './booking-details.tsx';
import { DayHeading, type WeekDay } from './day-heading.tsx';

/** Minimum height of a minute in rem. It is increased if short calls would be too small for touch. */
const MINUTE_REM = 0.0875;
/** Minimum height of a call in rem. */
const MIN_CALL_REM = 1.5;
/** Minimum height in rem of a call that shows its time and name on two lines. */
const TWO_LINES_REM = 2.5;

interface WeekAxisProps {
  days: readonly WeekDay[];
  zone: string;
  weeklyHours: Availability['hours'];
}

/** The calls in a week on a time axis. */
export function WeekAxis({ days, zone, weeklyHours }: WeekAxisProps) {
  const [selectedCall, setSelectedCall] = useState<BookingRow>();
  const calls = days.flatMap(({ bookings }) => bookings.map((booking) => callSpan(booking, zone)));
  const hours = axisHours([...weeklyHours.map(hoursSpan), ...calls]);
  const shortest = Math.min(...calls.map(({ from, to }) => to - from));
  const firstMinute = (hours[0] ?? 0) * 60;
  return (
    <>
      <ol
        style={{ '--minute': `${Math.max(MINUTE_REM, MIN_CALL_REM / shortest)}rem`, '--minutes': hours.length * 60 }}
        className="grid grid-cols-[3rem_repeat(7,minmax(0,1fr))] gap-x-2"
      >
        <li aria-hidden="true" className="pt-11">
          {hours.map((hour) => (
            <p
              key={hour}
              className="h-[calc(var(--minute)*60)] text-right font-mono text-label text-muted tabular-nums *:-translate-y-1/2"
            >
              <span className="block">{String(hour).padStart(2, '0')}:00</span>
            </p>
          ))}
        </li>
        {days.map((day, index) => (
          <li key={day.day} className="min-w-0">
            <DayHeading {...day} className="h-11 content-center [overflow-wrap:anywhere]" />
            <div className="relative h-[calc(var(--minute)*var(--minutes))] overflow-hidden rounded-md bg-sunken">
              {weeklyHours
                .filter(({ weekday }) => weekday === index + 1)
                .map((range) => (
                  <div
                    key={range.starts_at}
                    style={positionStyle(hoursSpan(range), firstMinute)}
                    className={`${SPAN_CLASS} bg-surface inset-ring inset-ring-line-strong/60 dark:bg-line`}
                  />
                ))}
              {hours.slice(1).map((hour) => (
                <div
                  key={hour}
                  style={positionStyle({ from: hour * 60, to: hour * 60 }, firstMinute)}
                  className={`${SPAN_CLASS} border-t border-line dark:border-line-strong/50`}
                />
              ))}
              {day.isToday && <CurrentTimeLine zone={zone} firstMinute={firstMinute} />}
              {placeSideBySide(day.bookings.map((item) => ({ item, span: callSpan(item, zone) }))).map((placed) => (
                <Call
                  key={placed.item.id}
                  {...placed}
                  {...{ zone, firstMinute, shortest }}
                  onOpen={() => setSelectedCall(placed.item)}
                />
              ))}
            </div>
          </li>
        ))}
      </ol>
      <Dialog
        open={selectedCall !== undefined}
        onOpenChange={() => setSelectedCall(undefined)}
        title={selectedCall?.name ?? ''}
        description={
          selectedCall && `${formatMoment(selectedCall.starts_at, zone)} to ${timeOf(selectedCall.ends_at, zone)}`
        }
      >
        <div className="grid grid-cols-1 gap-3">
          {selectedCall && (
            <BookingDetails booking={selectedCall} zone={zone} onCancelled={() => setSelectedCall(undefined)} />
          )}
        </div>
      </Dialog>
    </>
  );
}

/** Class for elements on the axis, which CSS variables position. */
const SPAN_CLASS = 'absolute inset-x-0 top-[calc(var(--from)*var(--minute))] h-[calc(var(--length)*var(--minute))]';

function positionStyle({ from, to }: Span, firstMinute: number) {
  return { '--from': from - firstMinute, '--length': to - from };
}

function CurrentTimeLine({ zone, firstMinute }: { zone: string; firstMinute: number }) {
  const now = new Date().toISOString();
  return (
    <div
      style={positionStyle(callSpan({ starts_at: now, ends_at: now }, zone), firstMinute)}
      className={`${SPAN_CLASS} border-t-2 border-signal`}
    />
  );
}

interface CallProps extends PlacedItem<BookingRow> {
  zone: string;
  /** First minute of the axis. */
  firstMinute: number;
  /** Duration of the shortest call in minutes. */
  shortest: number;
  onOpen: () => void;
}

function Call({ item, span, lane, lanes, zone, firstMinute, shortest, onOpen }: CallProps) {
  const height = (span.to - span.from) * Math.max(MINUTE_REM, MIN_CALL_REM / shortest);
  const isCancelled = item.state === 'cancelled';
  const isCompact = height < TWO_LINES_REM;
  return (
    <button
      type="button"
      aria-haspopup="dialog"
      onClick={onOpen}
      style={{ ...positionStyle(span, firstMinute), '--lane': lane, '--lanes': lanes }}
      className={clsx(
        SPAN_CLASS,
        'left-[calc(100%*var(--lane)/var(--lanes))]! w-[calc(100%/var(--lanes))] overflow-hidden rounded-sm border border-l-4 px-1.5 text-left text-sm focus-visible:-outline-offset-2',
        isCompact ? 'flex items-center gap-1.5' : 'grid content-start pt-1',
        isCancelled
          ? 'border-line-strong bg-sunken text-muted'
          : 'border-accent bg-accent-soft text-ink hover:bg-accent hover:text-on-accent',
      )}
    >
      <span className={clsx('shrink-0 font-mono text-label tabular-nums', isCancelled && 'line-through')}>
        {timeOf(item.starts_at, zone)}
        <span className={clsx(isCompact && 'sr-only')}> to {timeOf(item.ends_at, zone)}</span>
      </span>{' '}
      <span className="truncate font-medium">{item.name}</span>
      {isCancelled && <span className="sr-only">, cancelled</span>}
    </button>
  );
}
