import { useState } from 'react';
import { Badge } from '../../ui/badge.tsx';
import { Button, buttonClass } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { formatMoment } from '../../ui/lib/zoned-times.ts';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import { type BookingRow, cancelVisitorBookingMutation } from '../bookings.ts';

interface BookingDetailsProps {
  booking: BookingRow;
  /** Time zone of the weekly hours. */
  zone: string;
  onCancelled?: () => void;
}

/** Details of a call, with a button to cancel it. */
export function BookingDetails(props: BookingDetailsProps) {
  return (
    <>
      <Contact booking={props.booking} />
      <Request booking={props.booking} />
      <CancelAction {...props} />
    </>
  );
}

/** The visitor's email address and phone number. */
export function Contact({ booking: { email, phone } }: Pick<BookingDetailsProps, 'booking'>) {
  return (
    <p className="grid grid-cols-1 justify-items-start gap-1 text-sm">
      {/* Truncated instead of wrapped, because a part of an email address could be mistaken for another address. */}
      <a
        href={`mailto:${email}`}
        title={email}
        className={buttonClass({ variant: 'link' }, 'block! max-w-full truncate rounded-none!')}
      >
        {email}
      </a>
      {phone && <a href={`tel:${phone.replaceAll(/[^\d+]/g, '')}`}>{phone}</a>}
    </p>
  );
}

/** The visitor's selected service and message. */
export function Request({ booking: { service, message } }: Pick<BookingDetailsProps, 'booking'>) {
  if (!service && !message) return null;
  return (
    <div className="grid grid-cols-1 content-start gap-1 text-sm text-muted wrap-anywhere">
      {service && <p>About {service}</p>}
      {message && <p className="whitespace-pre-line">{message}</p>}
    </div>
  );
}

/** Button to cancel a future call, or a badge that shows who cancelled the call. */
export function CancelAction({ booking, zone, onCancelled }: BookingDetailsProps) {
  const [isDialogOpen, setDialogOpen] = useState(false);
  if (booking.state === 'cancelled') {
    return <Badge>Cancelled by {booking.cancelled_by === 'owner' ? 'an admin' : 'the visitor'}</Badge>;
  }
  if (Date.parse(booking.starts_at) <= Date.now()) return null;
  return (
    <>
      <Button size="sm" variant="secondary" className="justify-self-start" onClick={() => setDialogOpen(true)}>
        Cancel call
      </Button>
      {isDialogOpen && (
        <CancelDialog booking={booking} zone={zone} onClose={() => setDialogOpen(false)} onCancelled={onCancelled} />
      )}
    </>
  );
}

interface CancelDialogProps extends BookingDetailsProps {
  onCancelled: (() => void) | undefined;
  onClose: () => void;
}

function CancelDialog({ booking, zone, onClose, onCancelled }: CancelDialogProps) {
  const cancel = useMutationWithToasts(cancelVisitorBookingMutation, {
    success: 'Call cancelled',
    failure: 'Could not cancel the call',
  });
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Cancel this call?"
      description={`The call with ${booking.name} on ${formatMoment(booking.starts_at, zone)} will be cancelled, and they will be notified by email.`}
      confirmLabel="Cancel the call"
      cancelLabel="Keep it"
      destructive
      loading={cancel.isPending}
      onConfirm={() => cancel.mutate(booking.id, { onSuccess: onCancelled, onSettled: onClose })}
    />
  );
}
