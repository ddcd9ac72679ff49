import { zodResolver } from '@hookform/resolvers/zod';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { type UseFormReturn, useForm } from 'react-hook-form';
import type { z } from 'zod';
import { rejectionMessage } from '../api/error-code.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { Form } from '../ui/form.tsx';
import { Input } from '../ui/input.tsx';
import { formatMoment, visitorZone } from '../ui/lib/zoned-times.ts';
import { PrivacyNote } from '../ui/privacy-note.tsx';
import { Textarea } from '../ui/textarea.tsx';
import { BookedNotice } from './booked-notice.tsx';
import { detailsSchema, noDetails } from './details-schema.ts';
import { HeldTimeNotice } from './held-time-notice.tsx';
import { TimePicker } from './time-picker.tsx';
import { bookMutation, freeTimesQuery, isHeld, isTimeUnavailable } from './visitor-bookings.ts';

interface BookingPanelProps {
  /** Title of the selected service, or null. */
  service: string | null;
  /** Rendered if there are no free times. */
  empty: ReactNode;
}

type Details = z.input<typeof detailsSchema>;

/** Renders the time picker, form and confirmation. The form keeps its input if another visitor books the time. */
export default function BookingPanel({ service, empty }: BookingPanelProps) {
  const client = useQueryClient();
  const [zone, setZone] = useState(visitorZone);
  const [time, setTime] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const book = useMutation({ ...bookMutation, networkMode: 'always' });
  const form = useForm({ resolver: zodResolver(detailsSchema), defaultValues: noDetails });

  const onSubmit = form.handleSubmit(async (details) => {
    if (!time) return;
    setProblem(null);
    try {
      await book.mutateAsync({ ...details, startsAt: time, timeZone: zone, service: service ?? '' });
    } catch (error) {
      setProblem(rejectionMessage(error) ?? 'The call could not be booked. Please try again.');
      if (!isTimeUnavailable(error)) return;
      setTime(null);
    }
    void client.invalidateQueries({ queryKey: freeTimesQuery.queryKey });
  });

  if (book.data && isHeld(book.data)) {
    const onChooseAnother = () => {
      setTime(null);
      book.reset();
    };
    return <HeldTimeNotice held={book.data} call={book.variables} onChooseAnother={onChooseAnother} />;
  }
  if (book.data) return <BookedNotice booking={book.data} zone={zone} email={form.getValues('email')} />;
  return (
    <div className="grid gap-6">
      {problem && time === null && <Problem text={`${problem} Your details are kept.`} />}
      <TimePicker
        value={time}
        onChange={(next) => {
          setTime(next);
          if (next) setProblem(null);
        }}
        zone={zone}
        onZone={setZone}
        empty={empty}
      />
      {time && (
        <DetailsForm
          form={form}
          onSubmit={onSubmit}
          summary={
            <>
              <strong className="font-semibold">{formatMoment(time, zone)}</strong>
              {service && <>, about {service}</>}
            </>
          }
          problem={problem}
        />
      )}
    </div>
  );
}

interface DetailsFormProps {
  form: UseFormReturn<Details, unknown, z.output<typeof detailsSchema>>;
  onSubmit: (event: React.SubmitEvent<HTMLFormElement>) => Promise<void>;
  summary: ReactNode;
  problem: string | null;
}

function DetailsForm({ form, onSubmit, summary, problem }: DetailsFormProps) {
  const { register, formState } = form;
  const { errors, isSubmitting } = formState;
  return (
    <Form onSubmit={onSubmit} aria-label="Book a call" className="grid gap-5 border-t border-line pt-6">
      <p aria-live="polite" className="wrap-anywhere">
        {summary}
      </p>
      <div className="grid gap-5 sm:grid-cols-2">
        <Field label="Name" required error={errors.name?.message}>
          <Input autoComplete="name" {...register('name')} />
        </Field>
        <Field label="Email" required error={errors.email?.message}>
          <Input type="email" autoComplete="email" {...register('email')} />
        </Field>
      </div>
      <Field label="Phone (optional)" error={errors.phone?.message}>
        <Input type="tel" autoComplete="tel" {...register('phone')} />
      </Field>
      <Field label="What would you like to discuss? (optional)" error={errors.message?.message}>
        <Textarea rows={3} {...register('message')} />
      </Field>
      <PrivacyNote>We store these details for the call with you.</PrivacyNote>
      {problem && <Problem text={problem} />}
      <Button type="submit" size="lg" loading={isSubmitting} className="justify-self-start">
        {isSubmitting ? 'Booking...' : 'Book this time'}
      </Button>
    </Form>
  );
}

/** Error message that scrolls into view when it appears. */
function Problem({ text }: { text: string }) {
  const notice = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    notice.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  return (
    <p ref={notice} role="alert" className="rounded-md bg-danger-soft p-4 font-medium text-danger">
      {text}
    </p>
  );
}
