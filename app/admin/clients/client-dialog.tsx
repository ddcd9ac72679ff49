import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import { addClientMutation, type Client, changeClientMutation, clientSchema } from '../../data/clients/clients.ts';
import { RefusedWrite } from '../../form/refused-write.tsx';
import { requiredMark } from '../../form/required-mark.ts';
import { allZones, visitorZone } from '../../lib/zoned-times.ts';
import { Field } from '../../ui/field.tsx';
import { tellFirstError } from '../../ui/first-error.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Input } from '../../ui/input.tsx';
import { Select } from '../../ui/select.tsx';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';

interface ClientDialogProps {
  /** The client that is changed; without it one is added. */
  client?: Client;
  onClose: () => void;
  onAdded?: (id: string) => void;
}

/** Asks for the name of a client, its domain, and what its figures are held against. The typed text stays when saving fails. */
export function ClientDialog({ client, onClose, onAdded }: ClientDialogProps) {
  const { register, handleSubmit, formState } = useForm({
    resolver: zodResolver(clientSchema),
    defaultValues: {
      name: client?.name ?? '',
      domain: client?.domain ?? '',
      time_zone: client?.time_zone ?? visitorZone(),
      first_weekday: String(client?.first_weekday ?? 1),
      currency: client?.currency ?? 'NOK',
      meetings_goal: String(client?.meetings_goal ?? ''),
      replies_goal: String(client?.replies_goal ?? ''),
      delivered_goal: String(client?.delivered_goal ?? ''),
    },
  });
  const add = useMutationWithToasts(addClientMutation, {
    success: 'Client created successfully',
    failure: 'Error creating client',
  });
  const change = useMutationWithToasts(changeClientMutation, {
    success: 'Client updated successfully',
    failure: 'Error updating client',
  });
  return (
    <FormDialog
      title={client ? 'Edit client' : 'New client'}
      submitLabel="Save"
      savesByKeyboard
      isPending={add.isPending || change.isPending}
      onClose={onClose}
      onSubmit={handleSubmit((values) => {
        if (client) change.mutate({ id: client.id, ...values }, { onSuccess: onClose });
        else add.mutate(values, { onSuccess: (id) => onAdded?.(id) });
      }, tellFirstError)}
    >
      <RefusedWrite error={add.error ?? change.error} />
      <Field label="Name" {...requiredMark(true)} error={formState.errors.name?.message}>
        <Input data-initial-focus {...register('name')} />
      </Field>
      <Field
        label="Domain"
        help="Where their mails come from, such as example.com."
        error={formState.errors.domain?.message}
      >
        <Input autoComplete="off" {...register('domain')} />
      </Field>
      <Field label="Time zone" error={formState.errors.time_zone?.message}>
        <Select {...register('time_zone')}>
          {allZones(client?.time_zone ?? visitorZone()).map((zone) => (
            <option key={zone} value={zone}>
              {zone.replaceAll('_', ' ')}
            </option>
          ))}
        </Select>
      </Field>
      <div className="grid gap-5 sm:grid-cols-2">
        <Field label="Weeks begin on" error={formState.errors.first_weekday?.message}>
          <Select {...register('first_weekday')}>
            <option value="1">Monday</option>
            <option value="6">Saturday</option>
            <option value="7">Sunday</option>
          </Select>
        </Field>
        <Field label="Currency" error={formState.errors.currency?.message}>
          <Input autoComplete="off" {...register('currency')} />
        </Field>
      </div>
      <fieldset className="grid gap-5">
        <legend className="mb-3 font-semibold">Goals for a month</legend>
        <div className="grid gap-5 sm:grid-cols-3">
          <Field label="Meetings" error={formState.errors.meetings_goal?.message}>
            <Input inputMode="numeric" autoComplete="off" {...register('meetings_goal')} />
          </Field>
          <Field label="Replies" error={formState.errors.replies_goal?.message}>
            <Input inputMode="numeric" autoComplete="off" {...register('replies_goal')} />
          </Field>
          <Field label="Delivered" error={formState.errors.delivered_goal?.message}>
            <Input inputMode="numeric" autoComplete="off" {...register('delivered_goal')} />
          </Field>
        </div>
        <p className="-mt-3 text-sm text-muted">
          The client sees how far the month has come. Leave empty what has no goal.
        </p>
      </fieldset>
    </FormDialog>
  );
}
