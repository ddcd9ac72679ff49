import { zodResolver } from '@hookform/resolvers/zod';
import { useQuery } from '@tanstack/react-query';
import { Plus, X } from 'lucide-react';
import { FormProvider, useFieldArray, useForm, useFormContext } from 'react-hook-form';
import { type Availability, availabilityQuery, saveAvailabilityMutation } from '../../data/bookings/bookings.ts';
import { FormSkeleton } from '../../form/form-skeleton.tsx';
import { LeaveGuard } from '../../form/leave-guard.tsx';
import { RefusedWrite } from '../../form/refused-write.tsx';
import { UnsavedBar } from '../../form/unsaved-bar.tsx';
import { allZones } from '../../lib/zoned-times.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Input } from '../../ui/input.tsx';
import { LoadError } from '../../ui/load-error.tsx';
import { Select } from '../../ui/select.tsx';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import { type AvailabilityForm, availabilitySchema, fromForm, toForm, WEEKDAYS } from './availability-schema.ts';
import { DaysOff } from './days-off.tsx';
import { NotOffered } from './not-offered.tsx';
import { Panel } from './panel.tsx';

/**
 * Classes of a time. On a phone the browser's clock beside it would cover its end; pressing the time opens the same
 * list.
 */
const TIME_CLASS = 'max-w-36 max-sm:px-2 max-sm:[&::-webkit-calendar-picker-indicator]:hidden';

/** Edits the hours in which calls are offered. */
export function AvailabilityEditor() {
  const { data: saved, error, isPending, refetch } = useQuery({ ...availabilityQuery, refetchOnWindowFocus: false });
  if (isPending) return <FormSkeleton />;
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />;
  return (
    <div className="grid max-w-[45rem] grid-cols-1 gap-6">
      {saved.hours.length === 0 && <NotOffered />}
      <AvailabilityFields saved={saved} />
      <DaysOff />
    </div>
  );
}

function AvailabilityFields({ saved }: { saved: Availability }) {
  const form = useForm<AvailabilityForm>({ resolver: zodResolver(availabilitySchema), defaultValues: toForm(saved) });
  const { register, handleSubmit, formState, getValues } = form;
  const { errors } = formState;
  const save = useMutationWithToasts(saveAvailabilityMutation, {
    success: 'Availability saved',
    failure: 'The availability was not saved',
  });
  const onSave = (checked: AvailabilityForm) =>
    save.mutate(fromForm(checked), { onSuccess: () => form.reset(checked, { keepValues: true }) });
  return (
    <FormProvider {...form}>
      <Form savesByKeyboard onSubmit={handleSubmit(onSave)} className="grid grid-cols-1 gap-6">
        <UnsavedBar place="bookings/availability" schema={availabilitySchema} />
        <RefusedWrite error={save.error} />
        <Panel heading="Weekly hours">
          <WeeklyHours />
        </Panel>
        <Panel heading="Rules">
          <div className="grid gap-5 sm:grid-cols-2">
            <Field label="Time zone of the hours" error={errors.time_zone?.message}>
              <Select {...register('time_zone')}>
                {allZones(getValues('time_zone')).map((zone) => (
                  <option key={zone} value={zone}>
                    {zone.replaceAll('_', ' ')}
                  </option>
                ))}
              </Select>
            </Field>
            <Field label="Length of a call" help="In minutes." error={errors.length_minutes?.message}>
              <Input type="number" inputMode="numeric" min={10} max={480} {...register('length_minutes')} />
            </Field>
            <Field label="Notice" help="Hours between booking and the call." error={errors.notice_hours?.message}>
              <Input type="number" inputMode="numeric" min={0} max={720} {...register('notice_hours')} />
            </Field>
            <Field label="Days ahead" help="How far ahead calls are booked." error={errors.days_ahead?.message}>
              <Input type="number" inputMode="numeric" min={1} max={60} {...register('days_ahead')} />
            </Field>
          </div>
          <Field
            label="Where the call happens"
            help="Visitors read it after booking: 'We call you', or the address of a video room."
            error={errors.place?.message}
          >
            <Input {...register('place')} />
          </Field>
        </Panel>
        <div className="save-bar">
          <Button type="submit" loading={save.isPending} title="Ctrl+S or Cmd+S">
            Save Changes
          </Button>
        </div>
      </Form>
      <LeaveGuard />
    </FormProvider>
  );
}

function WeeklyHours() {
  const { register, control, formState } = useFormContext<AvailabilityForm>();
  const { fields, append, remove } = useFieldArray({ control, name: 'hours' });
  return (
    <div className="grid gap-1 divide-y divide-line">
      {WEEKDAYS.map((name, position) => {
        const weekday = position + 1;
        const ofTheDay = fields
          .map((field, index) => ({ field, index }))
          .filter(({ field }) => field.weekday === weekday);
        return (
          <fieldset
            key={name}
            className="grid min-w-0 grid-cols-1 items-start gap-x-4 gap-y-2 py-3 sm:grid-cols-[7rem_1fr_auto]"
          >
            <legend className="sr-only">{name}</legend>
            <span aria-hidden="true" className="font-medium sm:pt-2.5">
              {name}
            </span>
            <div className="grid min-w-0 grid-cols-1 gap-2">
              {ofTheDay.length === 0 && <p className="text-muted sm:pt-2.5">No calls</p>}
              {ofTheDay.map(({ field, index }) => {
                const errors = formState.errors.hours?.[index];
                const error = errors?.starts_at?.message ?? errors?.ends_at?.message;
                return (
                  <div key={field.id} className="grid grid-cols-1 gap-1">
                    <div className="flex items-center gap-2">
                      <Input
                        type="time"
                        aria-label={`${name}, from`}
                        aria-invalid={errors?.starts_at ? true : undefined}
                        className={TIME_CLASS}
                        {...register(`hours.${index}.starts_at`)}
                      />
                      <span className="text-muted">to</span>
                      <Input
                        type="time"
                        aria-label={`${name}, to`}
                        aria-invalid={errors?.ends_at ? true : undefined}
                        className={TIME_CLASS}
                        {...register(`hours.${index}.ends_at`)}
                      />
                      <Button
                        variant="ghost"
                        size="icon"
                        aria-label={`Remove these hours of ${name}`}
                        onClick={() => remove(index)}
                      >
                        <X aria-hidden="true" />
                      </Button>
                    </div>
                    <p role="alert" className="text-sm font-medium text-danger empty:hidden">
                      {error}
                    </p>
                  </div>
                );
              })}
            </div>
            <Button
              variant="ghost"
              size="sm"
              className="justify-self-start sm:mt-1"
              aria-label={`Add hours on ${name}`}
              onClick={() =>
                append({
                  weekday,
                  starts_at: ofTheDay.length === 0 ? '09:00' : '13:00',
                  ends_at: ofTheDay.length === 0 ? '12:00' : '16:00',
                })
              }
            >
              <Plus aria-hidden="true" />
              Add hours
            </Button>
          </fieldset>
        );
      })}
    </div>
  );
}
