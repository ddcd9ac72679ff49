import { zodResolver } from '@hookform/resolvers/zod';
import { useQuery } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { useForm } from 'react-hook-form';
import { z } from 'zod';
import { Button } from '../../ui/button.tsx';
import { TitledCard } from '../../ui/card.tsx';
import { Field } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Input } from '../../ui/input.tsx';
import { optionalDate, requiredDate } from '../../ui/lib/calendar-date.ts';
import { formatDate } from '../../ui/lib/format-date.ts';
import { LoadError } from '../../ui/load-error.tsx';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import { addDayOffMutation, type DayOff, daysOffQuery, removeDayOffMutation } from '../bookings.ts';

const dayOffSchema = z
  .object({
    first_day: requiredDate('Enter a day.'),
    last_day: optionalDate,
    note: z.string().trim().max(200, 'At most 200 characters.'),
  })
  .refine(({ first_day, last_day }) => last_day === '' || last_day >= first_day, {
    path: ['last_day'],
    message: 'The last day is before the first.',
  });

const EMPTY_FORM = { first_day: '', last_day: '', note: '' };

/** Lists days off, which override the weekly hours, with a form to add one. */
export function DaysOff() {
  const { data: days, error, refetch } = useQuery(daysOffQuery);
  const form = useForm({ resolver: zodResolver(dayOffSchema), defaultValues: EMPTY_FORM });
  const { register, handleSubmit, formState, reset } = form;
  const { errors } = formState;
  const add = useMutationWithToasts(addDayOffMutation, {
    success: 'Day off added',
    failure: 'Could not add the day off',
  });
  const onAdd = handleSubmit(({ first_day, last_day, note }) =>
    add.mutate({ first_day, last_day: last_day || first_day, note }, { onSuccess: () => reset(EMPTY_FORM) }),
  );
  return (
    <TitledCard title="Days off">
      {error && <LoadError error={error} onRetry={() => void refetch()} />}
      {days?.length === 0 && <p className="text-muted">No days off. Calls are offered every week.</p>}
      {days && days.length > 0 && (
        <ul className="grid divide-y divide-line">
          {days.map((day) => (
            <DayOffRow key={day.id} day={day} />
          ))}
        </ul>
      )}
      <Form onSubmit={onAdd} aria-label="Add a day off" className="grid items-start gap-4 sm:grid-cols-2">
        <Field label="First day" error={errors.first_day?.message}>
          <Input type="date" {...register('first_day')} />
        </Field>
        <Field label="Last day" help="Leave empty for one day." error={errors.last_day?.message}>
          <Input type="date" {...register('last_day')} />
        </Field>
        <Field label="Note" error={errors.note?.message} className="sm:col-span-2">
          <Input placeholder="Holidays" {...register('note')} />
        </Field>
        <Button type="submit" variant="secondary" size="sm" loading={add.isPending} className="justify-self-start">
          Add day off
        </Button>
      </Form>
    </TitledCard>
  );
}

function DayOffRow({ day: { id, first_day, last_day, note } }: { day: DayOff }) {
  const remove = useMutationWithToasts(removeDayOffMutation, { failure: 'Could not remove the day off' });
  const label = first_day === last_day ? formatDate(first_day) : `${formatDate(first_day)} to ${formatDate(last_day)}`;
  return (
    <li className="flex items-center justify-between gap-3 py-2">
      <p className="min-w-0 wrap-anywhere">
        {label}
        {note && <span className="text-muted"> · {note}</span>}
      </p>
      <Button
        variant="ghost"
        size="icon"
        aria-label={`Remove ${label}`}
        loading={remove.isPending}
        onClick={() => remove.mutate(id)}
      >
        <Trash2 aria-hidden="true" />
      </Button>
    </li>
  );
}
