import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import { addClientMutation, type Client, changeClientMutation, clientSchema } from '../../data/clients/clients.ts';
import { RefusedWrite } from '../../form/refused-write.tsx';
import { requiredMark } from '../../form/required-mark.ts';
import { Field } from '../../ui/field.tsx';
import { tellFirstError } from '../../ui/first-error.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Input } from '../../ui/input.tsx';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';

interface ClientDialogProps {
  /** The client that is changed; without it one is added. */
  client?: Client;
  onClose: () => void;
  onAdded?: (id: string) => void;
}

/** Asks for the name of a client and its domain. The typed text stays when saving fails. */
export function ClientDialog({ client, onClose, onAdded }: ClientDialogProps) {
  const { register, handleSubmit, formState } = useForm({
    resolver: zodResolver(clientSchema),
    defaultValues: { name: client?.name ?? '', domain: client?.domain ?? '' },
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
    </FormDialog>
  );
}
