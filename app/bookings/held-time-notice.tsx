import { Mail } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { rejectionMessage } from '../api/error-code.ts';
import { Button } from '../ui/button.tsx';
import { useFocusOnMount } from '../ui/lib/use-focus-on-mount.ts';
import { useTask } from '../ui/lib/use-task.ts';
import { formatMoment, timeOf } from '../ui/lib/zoned-times.ts';
import { type BookingRequest, type HeldTime, holdCall } from './visitor-bookings.ts';

interface HeldTimeNoticeProps {
  held: HeldTime;
  call: BookingRequest;
  /** Returns to the time picker and keeps the visitor's details. */
  onChooseAnother: () => void;
}

/**
 * Reports that a confirmation link was emailed and that the time is reserved until the link expires. Receives the
 * focus, so that screen readers announce it.
 */
export function HeldTimeNotice({ held, call, onChooseAnother }: HeldTimeNoticeProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useFocusOnMount(heading);
  const retry = useTask(holdCall);
  const { expires_at } = retry.data ?? held;
  const isOver = useIsPast(expires_at);
  return (
    <div className="grid justify-items-start gap-4">
      <span className="grid size-12 place-items-center rounded-full bg-accent-soft text-accent">
        <Mail aria-hidden="true" />
      </span>
      <h3 ref={heading} tabIndex={-1} className="text-display-3 outline-none">
        {isOver ? 'This time is no longer reserved' : 'Open the email to book'}
      </h3>
      <p className="text-lg font-medium wrap-anywhere">
        {formatMoment(held.starts_at, call.timeZone)}{' '}
        <span className="text-muted">({call.timeZone.replaceAll('_', ' ')})</span>
      </p>
      <p role="status" className="wrap-anywhere">
        {isOver
          ? 'The 15 minutes are over. Choose a time again. Your details are kept.'
          : `We have sent ${retry.data ? 'another' : 'a'} link to ${call.email}. Open it before ${timeOf(expires_at, call.timeZone)} to keep this time.`}
      </p>
      {!isOver && (
        <p className="text-muted">Many calls are being booked right now, so we need to verify your email address.</p>
      )}
      {retry.error !== undefined && (
        <p role="alert" className="font-medium text-danger">
          {rejectionMessage(retry.error) ?? 'The link could not be sent. Please try again.'}
        </p>
      )}
      <div className="flex flex-wrap gap-3">
        <Button onClick={onChooseAnother} variant={isOver ? 'primary' : 'secondary'}>
          Choose another time
        </Button>
        {!isOver && (
          <Button variant="ghost" loading={retry.isPending} onClick={() => void retry.run(call).catch(() => undefined)}>
            Send the link again
          </Button>
        )}
      </div>
    </div>
  );
}

function useIsPast(moment: string): boolean {
  const [pastMoment, setPast] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setPast(moment), Math.max(0, Date.parse(moment) - Date.now()));
    return () => clearTimeout(timer);
  }, [moment]);
  return pastMoment === moment;
}
