import type { RefObject } from 'react';
import { useForm } from 'react-hook-form';
import { Field } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Select } from '../../ui/select.tsx';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import type { Client } from '../clients.ts';
import { closeMonthMutation, formatMonth } from './meeting-months.ts';

interface CloseMonthDialogProps {
  client: Pick<Client, 'id' | 'name'>;
  /** First days of the months, latest first. */
  months: readonly string[];
  focusAfter: RefObject<HTMLElement | null>;
  onClose: () => void;
}

/** Closes a month. This cannot be undone. */
export function CloseMonthDialog({ client, months, focusAfter, onClose }: CloseMonthDialogProps) {
  // Older months are closed first.
  const { register, handleSubmit } = useForm({ defaultValues: { firstDay: months.at(-1) ?? '' } });
  const close = useMutationWithToasts(closeMonthMutation, {
    success: 'Month closed',
    failure: 'Could not close the month',
  });
  return (
    <FormDialog
      title="Close a month"
      description={`The meetings of a closed month cannot be changed, and ${client.name} sees the sheet. This cannot be undone. Held meetings count unless they break a criterion and the client has not accepted them.`}
      submitLabel="Close month"
      isPending={close.isPending}
      focusAfter={focusAfter}
      onClose={onClose}
      onSubmit={handleSubmit(({ firstDay }) => close.mutate({ clientId: client.id, firstDay }, { onSuccess: onClose }))}
    >
      <Field label="Month">
        <Select data-initial-focus {...register('firstDay')}>
          {months.map((month) => (
            <option key={month} value={month}>
              {formatMonth(month)}
            </option>
          ))}
        </Select>
      </Field>
    </FormDialog>
  );
}
