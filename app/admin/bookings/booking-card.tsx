import { clsx } from 'clsx';
import { useState } from 'react';
import { type BookingRow, cancelBookingOfVisitorMutation } from '../../data/bookings/bookings.ts';
import { momentInWords, timeOf } from '../../lib/zoned-times.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button, buttonClass } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';

interface BookingCardProps {
  booking: BookingRow;
  /** Time zone in which the owner offers calls. */
  zone: string;
  /** True when the day stands above the card already. */
  isUnderDay?: boolean;
}

/** Shows a call, and the person who booked it. */
export function BookingCard({ booking, zone, isUnderDay = false }: BookingCardProps) {
  const [isAsking, setAsking] = useState(false);
  const Heading = isUnderDay ? 'h4' : 'h2';
  const isCancelled = booking.state === 'cancelled';
  const canCancel = !isCancelled && Date.parse(booking.starts_at) > Date.now();
  const time = `${timeOf(booking.starts_at, zone)} to ${timeOf(booking.ends_at, zone)}`;
  return (
    <article
      className={clsx(
        'grid grid-cols-1 gap-3 rounded-lg border border-line bg-surface p-4',
        // A seventh of the screen.
        isUnderDay && 'lg:gap-1.5 lg:rounded-md lg:p-1.5',
      )}
    >
      <header className="grid gap-1.5">
        <p
          className={clsx(
            'font-mono text-label text-muted tabular-nums',
            isUnderDay && 'lg:tracking-tighter',
            isCancelled && 'line-through',
          )}
        >
          {isUnderDay ? time : `${momentInWords(booking.starts_at, zone)} to ${timeOf(booking.ends_at, zone)}`}
        </p>
        <Heading className={clsx('font-semibold wrap-anywhere', isUnderDay && 'lg:text-sm')}>{booking.name}</Heading>
        {isCancelled && <Badge>Cancelled by {booking.cancelled_by === 'owner' ? 'an admin' : 'the visitor'}</Badge>}
      </header>
      <p className="grid grid-cols-1 justify-items-start gap-1 text-sm">
        {/* An address that is broken in its middle reads as another one. */}
        <a
          href={`mailto:${booking.email}`}
          title={booking.email}
          className={buttonClass({ variant: 'link' }, 'block! max-w-full truncate rounded-none!')}
        >
          {booking.email}
        </a>
        {booking.phone && <a href={`tel:${booking.phone.replaceAll(/[^\d+]/g, '')}`}>{booking.phone}</a>}
        {booking.service && (
          <span className={clsx('max-w-full text-muted wrap-anywhere', isUnderDay && 'lg:line-clamp-2')}>
            About {booking.service}
          </span>
        )}
      </p>
      {booking.message && (
        <p className={clsx('text-sm whitespace-pre-line text-muted wrap-anywhere', isUnderDay && 'lg:line-clamp-2')}>
          {booking.message}
        </p>
      )}
      {canCancel && (
        <Button size="sm" variant="secondary" className="justify-self-start" onClick={() => setAsking(true)}>
          Cancel call
        </Button>
      )}
      {isAsking && <CancelDialog booking={booking} zone={zone} onClose={() => setAsking(false)} />}
    </article>
  );
}

function CancelDialog({ booking, zone, onClose }: { booking: BookingRow; zone: string; onClose: () => void }) {
  const cancel = useMutationWithToasts(cancelBookingOfVisitorMutation, {
    success: 'Call cancelled',
    failure: 'The call was not cancelled',
  });
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Cancel this call?"
      description={`The call with ${booking.name} on ${momentInWords(booking.starts_at, zone)} is cancelled. A mail tells them so.`}
      confirmLabel="Cancel the call"
      cancelLabel="Keep it"
      destructive
      loading={cancel.isPending}
      onConfirm={() => cancel.mutate(booking.id, { onSettled: onClose })}
    />
  );
}
