import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import { Field } from '../../ui/field.tsx';
import { showFirstError } from '../../ui/first-error.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Input } from '../../ui/input.tsx';
import { Select } from '../../ui/select.tsx';
import { Textarea } from '../../ui/textarea.tsx';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import type { Client } from '../clients.ts';
import { addedLeadSchema, addLeadMutation } from './leads.ts';

interface LeadDialogProps {
  client: Pick<Client, 'id' | 'name' | 'campaigns'>;
  onClose: () => void;
}

/** Form for adding a lead by hand. The input is kept if saving fails. */
export function LeadDialog({ client, onClose }: LeadDialogProps) {
  const onlyCampaign = client.campaigns.length === 1 ? client.campaigns[0]?.id : undefined;
  const { register, handleSubmit, formState } = useForm({
    resolver: zodResolver(addedLeadSchema),
    defaultValues: { name: '', email: '', company: '', title: '', words: '', campaign_id: onlyCampaign ?? '' },
  });
  const { errors } = formState;
  const add = useMutationWithToasts(addLeadMutation, { success: 'Lead added', failure: 'Could not add the lead' });
  return (
    <FormDialog
      title="Add lead"
      description={`${client.name} sees this lead and is notified by email.`}
      submitLabel="Add"
      savesByKeyboard
      isPending={add.isPending}
      onClose={onClose}
      onSubmit={handleSubmit(
        (values) => add.mutate({ clientId: client.id, ...values }, { onSuccess: onClose }),
        showFirstError,
      )}
    >
      <div className="grid gap-5 sm:grid-cols-2">
        <Field label="Name" error={errors.name?.message}>
          <Input data-initial-focus autoComplete="off" {...register('name')} />
        </Field>
        <Field label="Email" error={errors.email?.message}>
          <Input inputMode="email" autoComplete="off" {...register('email')} />
        </Field>
        <Field label="Company" error={errors.company?.message}>
          <Input autoComplete="off" {...register('company')} />
        </Field>
        <Field label="Title" error={errors.title?.message}>
          <Input autoComplete="off" {...register('title')} />
        </Field>
      </div>
      <Field label="Campaign">
        <Select {...register('campaign_id')}>
          <option value="">Not known</option>
          {client.campaigns.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Select>
      </Field>
      <Field label="Their reply" error={errors.words?.message}>
        <Textarea {...register('words')} />
      </Field>
    </FormDialog>
  );
}
