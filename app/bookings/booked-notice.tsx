import { Check } from 'lucide-react';
import { useRef } from 'react';
import { buttonClass } from '../ui/button.tsx';
import { useFocusOnMount } from '../ui/lib/use-focus-on-mount.ts';
import { formatMoment } from '../ui/lib/zoned-times.ts';
import { calendarFileUrl, type NewBooking } from './visitor-bookings.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

interface BookedNoticeProps {
  booking: NewBooking;
  zone: string;
  email: string;
}

/**
 * Confirmation of a booking. Receives the focus, so that screen readers announce it. It is shorter than the form that
 * it replaces, so it is scrolled to the centre.
 */
export function BookedNotice({ booking, zone, email }: BookedNoticeProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useFocusOnMount(heading);
  return (
    <div className="grid justify-items-start gap-4">
      <span className="grid size-12 place-items-center rounded-full bg-accent-soft text-accent">
        <Check aria-hidden="true" />
      </span>
      <h3 ref={heading} tabIndex={-1} className="text-display-3 outline-none">
        Your call is booked
      </h3>
      <p className="text-lg font-medium wrap-anywhere">
        {formatMoment(booking.starts_at, zone)} <span className="text-muted">({zone.replaceAll('_', ' ')})</span>
      </p>
      {booking.place && <p className="wrap-anywhere">{booking.place}</p>}
      <p className="text-muted wrap-anywhere">
        An email to {email} is on its way. It has a link to move or cancel the call.
        <span>
          {Date.parse(booking.starts_at) - Date.now() > DAY_MS && ' A reminder follows 24 hours before the call.'}
        </span>
      </p>
      <div className="flex flex-wrap gap-3">
        <a href={calendarFileUrl(booking.token)} download="call.ics" className={buttonClass({})}>
          Add to calendar
        </a>
        {/* A plain link, because the embedded chat has its own click handler for links. */}
        <a href={`/booking/${booking.token}`} className={buttonClass({ variant: 'secondary' })}>
          Move or cancel
        </a>
      </div>
    </div>
  );
}
