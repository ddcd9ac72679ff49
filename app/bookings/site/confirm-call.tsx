import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { rejectionMessage } from '../../api/error-code.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { formatMoment } from '../../ui/lib/zoned-times.ts';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import {
  confirmBookingMutation,
  freeTimesQuery,
  isTimeUnavailable,
  type VisitorBooking,
  visitorBookingQuery,
} from '../visitor-bookings.ts';
import { LazyTimePicker } from './lazy-time-picker.ts';

interface ConfirmCallProps {
  token: string;
  booking: VisitorBooking;
  zone: string;
  onZone: (zone: string) => void;
}

/**
 * Confirms a reserved call with a click. If the time has been taken, the visitor can choose another one with the same
 * link.
 */
export function ConfirmCall({ token, booking, zone, onZone }: ConfirmCallProps) {
  const client = useQueryClient();
  const [time, setTime] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const confirm = useMutationWithToasts(confirmBookingMutation, {
    success: 'Your call is booked',
    failure: () => null,
  });
  const run = (startsAt?: string) => {
    setProblem(null);
    confirm.mutate(
      { token, ...(startsAt ? { startsAt } : {}) },
      {
        onError: (error) => {
          setProblem(rejectionMessage(error) ?? 'The call could not be booked. Please try again.');
          if (!isTimeUnavailable(error)) return;
          setTime(null);
          void client.invalidateQueries({ queryKey: freeTimesQuery.queryKey });
          void client.invalidateQueries({ queryKey: visitorBookingQuery(token).queryKey });
        },
      },
    );
  };
  const notice = problem && (
    <p role="alert" className="rounded-md bg-danger-soft p-4 font-medium text-danger">
      {problem}
    </p>
  );
  if (booking.state === 'held') {
    return (
      <>
        {notice}
        <Button size="lg" loading={confirm.isPending} onClick={() => run()} className="sm:justify-self-start">
          Book this call
        </Button>
      </>
    );
  }
  return (
    <Card className="grid gap-6 p-5 sm:p-8">
      <h2 className="text-lg font-semibold">Choose another time</h2>
      {notice}
      <LazyTimePicker
        value={time}
        onChange={setTime}
        zone={zone}
        onZone={onZone}
        empty={<p>No other times are free at the moment. Please write to us.</p>}
      />
      <Button
        disabled={time === null}
        loading={confirm.isPending}
        onClick={() => time && run(time)}
        className="sm:justify-self-start"
      >
        {time ? `Book ${formatMoment(time, zone)}` : 'Choose a time'}
      </Button>
    </Card>
  );
}
