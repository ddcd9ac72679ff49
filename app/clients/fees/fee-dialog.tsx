import { zodResolver } from '@hookform/resolvers/zod';
import type { RefObject } from 'react';
import { useForm } from 'react-hook-form';
import { Field } from '../../ui/field.tsx';
import { showFirstError } from '../../ui/first-error.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Input } from '../../ui/input.tsx';
import { addDays, formatDay } from '../../ui/lib/zoned-times.ts';
import { Select } from '../../ui/select.tsx';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import type { Client } from '../clients.ts';
import { getMonth } from '../figures/progress.ts';
import { newFeeSchema, setFeeMutation } from './fees.ts';

/** Number of months before the current month that can be selected. */
const MONTHS_BEFORE = 36;
/** Number of months after the current month that can be selected. */
const MONTHS_AFTER = 12;

interface FeeDialogProps {
  client: Pick<Client, 'id' | 'name' | 'currency'>;
  /** Current date in the client's time zone. */
  today: string;
  /** Number of the latest change shown to the user, or 0. */
  formerNumber: number;
  focusAfter: RefObject<HTMLElement | null>;
  onClose: () => void;
}

/** Asks for the fee and its first month. The input is kept if saving fails. */
export function FeeDialog({ client, today, formerNumber, focusAfter, onClose }: FeeDialogProps) {
  const { register, handleSubmit, formState } = useForm({
    resolver: zodResolver(newFeeSchema),
    defaultValues: { amount: '', first_month: getMonth(today).first },
  });
  const set = useMutationWithToasts(setFeeMutation, { success: 'Fee saved', failure: 'Could not save the fee' });
  return (
    <FormDialog
      title="Monthly fee"
      description={`The amount that ${client.name} pays per month. Earlier months keep their fee.`}
      submitLabel="Save"
      savesByKeyboard
      isPending={set.isPending}
      focusAfter={focusAfter}
      onClose={onClose}
      onSubmit={handleSubmit(
        (fee) => set.mutate({ clientId: client.id, formerNumber, ...fee }, { onSuccess: onClose }),
        showFirstError,
      )}
    >
      <Field
        label={`Amount in ${client.currency}`}
        required
        aside="Required"
        help="Enter 0 if no fee is paid from this month on."
        error={formState.errors.amount?.message}
      >
        <Input inputMode="decimal" autoComplete="off" data-initial-focus {...register('amount')} />
      </Field>
      <Field label="From">
        <Select {...register('first_month')}>
          {monthsAround(today).map((month) => (
            <option key={month} value={month}>
              {formatDay(month, { month: 'long', year: 'numeric' })}
            </option>
          ))}
        </Select>
      </Field>
    </FormDialog>
  );
}

/** Returns the first days of the months around a day, latest first. */
function monthsAround(day: string): string[] {
  const months = [getMonth(day).first];
  for (let index = 0; index < MONTHS_AFTER; index++) months.unshift(addDays(getMonth(months[0] ?? day).last, 1));
  for (let index = 0; index < MONTHS_BEFORE; index++) months.push(getMonth(addDays(months.at(-1) ?? day, -1)).first);
  return months;
}
