import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import { rejectionMessage } from '../../api/error-code.ts';
import { openAndStoreGrant } from '../../api/gate/grant.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { lazy } from '../../ui/lazy.tsx';
import { formatMoment, visitorZone } from '../../ui/lib/zoned-times.ts';
import { Eyebrow } from '../../ui/section-heading.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import {
  calendarFileUrl,
  cancelBookingMutation,
  freeTimesQuery,
  isTimeUnavailable,
  moveBookingMutation,
  type VisitorBooking,
  visitorBookingQuery,
} from '../visitor-bookings.ts';
import { ConfirmCall } from './confirm-call.tsx';
import { LazyTimePicker } from './lazy-time-picker.ts';

/** Lazy-loaded on the first click on Cancel. */
const ConfirmDialog = lazy(async () => ({ default: (await import('../../ui/confirm-dialog.tsx')).ConfirmDialog }));

/** Page on which a visitor can move or cancel a booked call. */
export function BookingPage({ token, siteName }: { token: string; siteName: string }) {
  const { data: booking, error, isPending, refetch } = useQuery(visitorBookingQuery(token));
  const [chosenZone, setZone] = useState<string>();
  // The zone of the booking is also the zone of its emails.
  const zone = chosenZone ?? booking?.time_zone ?? visitorZone();
  const isFound = booking !== undefined;
  const isGone = error !== null && rejectionMessage(error) !== null;
  useEffect(() => {
    if (isFound) openAndStoreGrant();
  }, [isFound]);
  return (
    <section className="page-grid grid max-w-150 grid-cols-1 content-start gap-6 py-[clamp(2rem,5vw,4rem)]">
      <div>
        <Eyebrow>Your call</Eyebrow>
        <h1 className="mt-4 text-display-3">
          {isPending ? 'Loading...' : booking ? formatTitle(booking) : isGone ? 'This link does not work' : 'Your call'}
        </h1>
      </div>
      {isPending && <Skeleton className="h-48" />}
      {error && (
        <Notice>
          <p>{rejectionMessage(error) ?? 'The booking could not be loaded.'}</p>
          <div className="flex flex-wrap gap-3">
            {!isGone && (
              <Button variant="secondary" onClick={() => void refetch()}>
                Try again
              </Button>
            )}
            <BookAnother />
          </div>
        </Notice>
      )}
      {booking && <Details booking={booking} zone={zone} siteName={siteName} />}
      {booking && isOpen(booking) && <Actions token={token} booking={booking} zone={zone} onZone={setZone} />}
      {booking && isUnconfirmed(booking) && (
        <ConfirmCall token={token} booking={booking} zone={zone} onZone={setZone} />
      )}
      {booking && !isOpen(booking) && !isUnconfirmed(booking) && (
        <p>
          <BookAnother />
        </p>
      )}
    </section>
  );
}

function formatTitle(booking: VisitorBooking): string {
  if (booking.state === 'cancelled') return 'Your call is cancelled';
  if (booking.state === 'held') return 'Confirm your call';
  if (booking.state === 'taken') return 'This time is no longer available';
  return isOpen(booking) ? 'Your call is booked' : 'Your call is over';
}

function isOpen({ state, starts_at }: VisitorBooking): boolean {
  return state === 'booked' && Date.parse(starts_at) > Date.now();
}

/** Returns whether the visitor still has to confirm with a click. Mail servers scan links but do not click. */
function isUnconfirmed({ state }: VisitorBooking): boolean {
  return state === 'held' || state === 'taken';
}

interface DetailsProps {
  booking: VisitorBooking;
  zone: string;
  siteName: string;
}

function Details({ booking, zone, siteName }: DetailsProps) {
  return (
    <Card className="grid gap-4 p-6">
      <p
        className={
          ['cancelled', 'taken'].includes(booking.state) ? 'text-lg text-muted line-through' : 'text-lg font-semibold'
        }
      >
        <time dateTime={booking.starts_at}>{formatMoment(booking.starts_at, zone)}</time>{' '}
        <span className="font-normal text-muted">({zone.replaceAll('_', ' ')})</span>
      </p>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-2 wrap-anywhere [&_dt]:text-muted">
        <dt>With</dt>
        <dd>{siteName}</dd>
        <dt>Duration</dt>
        <dd>{`${Math.round((Date.parse(booking.ends_at) - Date.parse(booking.starts_at)) / 60_000)} minutes`}</dd>
        {booking.place && ['booked', 'held'].includes(booking.state) && (
          <>
            <dt>Where</dt>
            <dd>{booking.place}</dd>
          </>
        )}
        {booking.service && (
          <>
            <dt>Topic</dt>
            <dd>{booking.service}</dd>
          </>
        )}
      </dl>
    </Card>
  );
}

interface ActionsProps {
  token: string;
  booking: VisitorBooking;
  zone: string;
  onZone: (zone: string) => void;
}

function Actions({ token, booking, zone, onZone }: ActionsProps) {
  const [isMoving, setMoving] = useState(false);
  // Undefined until the first click, so that the dialog is loaded on demand.
  const [isDialogOpen, setDialogOpen] = useState<boolean>();
  const cancel = useMutationWithToasts(cancelBookingMutation, {
    success: 'Your call is cancelled',
    failure: 'Could not cancel the call',
  });
  return (
    <>
      {isMoving ? (
        <MoveForm token={token} zone={zone} onZone={onZone} onDone={() => setMoving(false)} />
      ) : (
        <div className="grid gap-3 sm:flex sm:flex-wrap">
          <a href={calendarFileUrl(token)} download="call.ics" className={buttonClass({})}>
            Add to calendar
          </a>
          <Button variant="secondary" onClick={() => setMoving(true)}>
            Choose another time
          </Button>
          <Button variant="ghost" onClick={() => setDialogOpen(true)}>
            Cancel the call
          </Button>
        </div>
      )}
      {isDialogOpen !== undefined && (
        <ConfirmDialog
          open={isDialogOpen}
          onOpenChange={setDialogOpen}
          title="Cancel this call?"
          description={`The call on ${formatMoment(booking.starts_at, zone)} will be cancelled, and its time will become available to others.`}
          confirmLabel="Cancel the call"
          cancelLabel="Keep it"
          destructive
          loading={cancel.isPending}
          onConfirm={() => cancel.mutate(token, { onSettled: () => setDialogOpen(false) })}
        />
      )}
    </>
  );
}

interface MoveFormProps extends Pick<ActionsProps, 'token' | 'zone' | 'onZone'> {
  onDone: () => void;
}

function MoveForm({ token, zone, onZone, onDone }: MoveFormProps) {
  const client = useQueryClient();
  const [time, setTime] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const move = useMutationWithToasts(moveBookingMutation, { success: 'Your call was moved', failure: () => null });
  const run = (startsAt: string) =>
    move.mutate(
      { token, startsAt },
      {
        onSuccess: onDone,
        onError: (error) => {
          setProblem(rejectionMessage(error) ?? 'The call could not be moved. Please try again.');
          if (!isTimeUnavailable(error)) return;
          setTime(null);
          void client.invalidateQueries({ queryKey: freeTimesQuery.queryKey });
        },
      },
    );
  return (
    <Card className="grid gap-6 p-5 sm:p-8">
      <h2 className="text-lg font-semibold">Another time</h2>
      {problem && (
        <p role="alert" className="rounded-md bg-danger-soft p-4 font-medium text-danger">
          {problem}
        </p>
      )}
      <LazyTimePicker
        value={time}
        onChange={(next) => {
          setTime(next);
          if (next) setProblem(null);
        }}
        zone={zone}
        onZone={onZone}
        empty={<p>No other times are free at the moment. Your call stays as it is.</p>}
      />
      <div className="grid gap-3 sm:flex sm:flex-wrap sm:items-center">
        <Button disabled={time === null} loading={move.isPending} onClick={() => time && run(time)}>
          {time ? `Move to ${formatMoment(time, zone)}` : 'Choose a time'}
        </Button>
        <Button variant="ghost" onClick={onDone}>
          Keep the time
        </Button>
      </div>
    </Card>
  );
}

function Notice({ children }: { children: ReactNode }) {
  return (
    <div role="alert" className="grid gap-5">
      {children}
    </div>
  );
}

function BookAnother() {
  return (
    <Link to="/" hash="booking" className={buttonClass({}, 'max-sm:w-full')}>
      Book a call
    </Link>
  );
}
