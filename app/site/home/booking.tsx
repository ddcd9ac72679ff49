import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { useAllowed } from '../../api/host/page-policy.ts';
import type { Booking as BookingContent } from '../../content/pages/booking.ts';
import { siteSettingsQuery } from '../../settings/site-settings.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { lazy } from '../../ui/lazy.tsx';
import { selectService, useSelectedService } from '../selected-service.ts';

const BookingPanel = lazy(() => import('../../bookings/booking-panel.tsx'), {
  Loading: () => (
    <p role="status" className="min-h-96 text-muted print:hidden">
      Loading free times...
    </p>
  ),
  Failed: ({ onRetry }) => (
    <div role="alert" className="grid justify-items-start gap-4">
      <p>
        The calendar could not be shown. Propose a time through <OtherContactOptions />.
      </p>
      <Button variant="secondary" size="sm" onClick={onRetry}>
        Try again
      </Button>
    </div>
  ),
});

/**
 * Booking section for a 30-minute call. Embeds the scheduling page if an https URL is saved, otherwise shows the
 * built-in free times if booking is on.
 */
export function Booking({ booking }: { booking: BookingContent }) {
  const scheduler = schedulingPage(booking.calendlyPlaceholder);
  const isAllowed = useAllowed('frames');
  const isBookingOn = useQuery(siteSettingsQuery).data?.booking === 'on';
  const service = useSelectedService();
  return (
    <section
      id="booking"
      tabIndex={-1}
      aria-labelledby="booking-heading"
      className="section-space scroll-mt-16 bg-slab text-on-slab outline-none"
    >
      <div className="page-grid grid gap-x-12 gap-y-10 lg:grid-cols-12">
        <div className="grid content-start gap-6 lg:col-span-5">
          <h2 id="booking-heading" className="text-display-2 wrap-anywhere dark:text-ink">
            {booking.heading}
          </h2>
          <p className="max-w-[46ch] text-lead">{booking.description}</p>
          <p className="font-mono text-label uppercase">30-minute call</p>
          <SelectedService />
        </div>
        <div className="lg:col-span-7">
          {scheduler && isAllowed(scheduler) ? (
            <iframe
              src={scheduler}
              title="Book a 30-minute call"
              loading="lazy"
              className="h-[44rem] w-full rounded-lg border-0 bg-surface"
            />
          ) : isBookingOn && !scheduler ? (
            <div className="rounded-lg bg-surface p-5 text-ink sm:p-8">
              <BookingPanel service={service} empty={<NoTimes />} />
              <noscript>
                <p>
                  Booking needs JavaScript. Propose a time through <OtherContactOptions /> instead.
                </p>
              </noscript>
            </div>
          ) : (
            <SchedulerPlaceholder>
              {scheduler ? (
                <a href={scheduler} rel="noopener" className={buttonClass({ variant: 'link' })}>
                  Open the scheduling page
                </a>
              ) : (
                booking.calendlyPlaceholder
              )}
            </SchedulerPlaceholder>
          )}
        </div>
      </div>
    </section>
  );
}

function SelectedService() {
  const service = useSelectedService();
  return (
    <div aria-live="polite">
      {service && (
        <p className="flex w-fit items-center gap-3 rounded-md bg-on-slab py-1 pr-1 pl-4 text-sm text-slab">
          <span>
            Selected service: <strong className="font-semibold">{service}</strong>
          </span>
          <button
            type="button"
            aria-label="Clear the selected service"
            onClick={() => selectService(null)}
            className="grid size-8 place-items-center rounded-sm"
          >
            <X aria-hidden="true" className="size-4" />
          </button>
        </p>
      )}
    </div>
  );
}

const HALF_HOURS = ['09:00', '09:30', '10:00', '10:30', '11:00', '11:30'];

/** Shown if there is no scheduler: an empty week and other contact options. */
function SchedulerPlaceholder({ children }: { children: ReactNode }) {
  return (
    <div className="grid gap-5 rounded-lg bg-surface p-6 text-ink sm:p-8">
      <div
        aria-hidden="true"
        className="grid grid-cols-[3.25rem_repeat(5,1fr)] gap-1.5 font-mono text-label text-muted print:hidden"
      >
        <span />
        {['Mon', 'Tue', 'Wed', 'Thu', 'Fri'].map((day) => (
          <span key={day} className="pb-1 text-center">
            {day}
          </span>
        ))}
        {HALF_HOURS.map((time, row) => (
          <Slots key={time} time={time} row={row} />
        ))}
      </div>
      <div className="grid gap-3 border-t border-line pt-5 text-[0.9375rem]">
        <p className="text-muted wrap-anywhere">{children}</p>
        <p>
          Until then, propose a time through <OtherContactOptions />.
        </p>
      </div>
    </div>
  );
}

function NoTimes() {
  return (
    <div className="grid gap-2">
      <p className="text-lg font-semibold">No times are free at the moment</p>
      <p>
        Propose one through <OtherContactOptions />.
      </p>
    </div>
  );
}

function OtherContactOptions() {
  const email = useQuery(siteSettingsQuery).data?.contact_email;
  return (
    <>
      <Link to="/contact" className={buttonClass({ variant: 'link' })}>
        the contact form
      </Link>
      {email && (
        <>
          {' '}
          or write to{' '}
          <a href={`mailto:${email}`} className={buttonClass({ variant: 'link' }, 'wrap-anywhere')}>
            {email}
          </a>
        </>
      )}
    </>
  );
}

function Slots({ time, row }: { time: string; row: number }) {
  return (
    <>
      <span className="self-center tabular-nums">{time}</span>
      {[0, 1, 2, 3, 4].map((day) => {
        const isTaken = (day * 5 + row * 3) % 4 === 0;
        return <span key={day} className={`h-7 rounded-sm ${isTaken ? 'bg-line' : 'bg-sunken'}`} />;
      })}
    </>
  );
}

/** Returns the URL if it can be embedded, otherwise null. */
function schedulingPage(text: string): string | null {
  const trimmed = text.trim();
  return /^https:\/\/\S+$/.test(trimmed) && URL.canParse(trimmed) ? trimmed : null;
}
