import { zodResolver } from '@hookform/resolvers/zod';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { FormProvider, useForm } from 'react-hook-form';
import { UnsavedBar } from '../../editing/unsaved-bar.tsx';
import { Button } from '../../ui/button.tsx';
import { TitledCard } from '../../ui/card.tsx';
import { Field } from '../../ui/field.tsx';
import { FormSkeleton } from '../../ui/form/form-skeleton.tsx';
import { LeaveGuard } from '../../ui/form/leave-guard.tsx';
import { SaveError } from '../../ui/form/save-error.tsx';
import { Form } from '../../ui/form.tsx';
import { Input } from '../../ui/input.tsx';
import { LoadError } from '../../ui/load-error.tsx';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import { type Availability, availabilityQuery, saveAvailabilityMutation } from '../bookings.ts';
import { type AvailabilityForm, availabilitySchema, fromForm, toForm } from './availability-schema.ts';
import { BookingOffNotice } from './availability-warnings.tsx';
import { DaysOff } from './days-off.tsx';
import { WeeklyHours } from './weekly-hours.tsx';

export function AvailabilityEditor() {
  const { data: saved, error, isPending, refetch } = useQuery({ ...availabilityQuery, refetchOnWindowFocus: false });
  if (isPending) return <FormSkeleton />;
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />;
  return (
    <div className="@container grid grid-cols-1 gap-6">
      {saved.hours.length === 0 && <BookingOffNotice isOnHoursScreen />}
      <AvailabilityFields saved={saved} />
    </div>
  );
}

/** Classes that place the days off on the right if there is room for a weekday row beside them. */
const COLUMNS =
  'grid max-w-form grid-cols-1 items-start gap-6 @min-[69rem]:max-w-none @min-[69rem]:grid-cols-[45rem_minmax(0,1fr)]';

function AvailabilityFields({ saved }: { saved: Availability }) {
  const form = useForm<AvailabilityForm>({ resolver: zodResolver(availabilitySchema), defaultValues: toForm(saved) });
  const { register, handleSubmit, formState } = form;
  const id = useId();
  const { errors } = formState;
  const save = useMutationWithToasts(saveAvailabilityMutation, {
    success: 'Availability saved',
    failure: 'Could not save the availability',
  });
  const onSave = (values: AvailabilityForm) =>
    save.mutate(fromForm(values), { onSuccess: () => form.reset(values, { keepValues: true }) });
  return (
    <FormProvider {...form}>
      <div className={COLUMNS}>
        <Form id={id} savesByKeyboard onSubmit={handleSubmit(onSave)} className="grid grid-cols-1 gap-6">
          <UnsavedBar formKey="bookings/availability" schema={availabilitySchema} />
          <SaveError error={save.error} />
          <TitledCard title="Weekly hours">
            <WeeklyHours />
          </TitledCard>
          <TitledCard title="Rules">
            <div className="grid gap-5 sm:grid-cols-3">
              <Field label="Call length" help="In minutes." error={errors.length_minutes?.message}>
                <Input type="number" inputMode="numeric" min={10} max={480} {...register('length_minutes')} />
              </Field>
              <Field
                label="Notice"
                help="Minimum hours between the booking and the call."
                error={errors.notice_hours?.message}
              >
                <Input type="number" inputMode="numeric" min={0} max={720} {...register('notice_hours')} />
              </Field>
              <Field
                label="Days ahead"
                help="How many days ahead calls can be booked."
                error={errors.days_ahead?.message}
              >
                <Input type="number" inputMode="numeric" min={1} max={60} {...register('days_ahead')} />
              </Field>
            </div>
            <Field
              label="Where the call happens"
              help="Shown to visitors after booking: 'We call you', or the link to a video call."
              error={errors.place?.message}
            >
              <Input {...register('place')} />
            </Field>
          </TitledCard>
        </Form>
        <DaysOff />
      </div>
      {/* Below both columns, because the save bar is sticky and must stay visible next to the days off. */}
      <div className="save-bar">
        <Button type="submit" form={id} loading={save.isPending} title="Ctrl+S or Cmd+S">
          Save Changes
        </Button>
      </div>
      <LeaveGuard />
    </FormProvider>
  );
}
