import { zodResolver } from '@hookform/resolvers/zod';
import type { RefObject } from 'react';
import { useController, useForm } from 'react-hook-form';
import { Field } from '../../ui/field.tsx';
import { showFirstError } from '../../ui/first-error.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Input } from '../../ui/input.tsx';
import { Switch } from '../../ui/switch.tsx';
import { Textarea } from '../../ui/textarea.tsx';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import type { Client } from '../clients.ts';
import { criteriaApprovalSchema, requestCriteriaApprovalMutation } from './approval-criteria.ts';
import type { Approval } from './approvals.ts';
import { CountriesField } from './countries-field.tsx';
import { parseCriteria } from './criteria.ts';

interface RequestCriteriaApprovalDialogProps {
  client: Pick<Client, 'id' | 'name'>;
  /** Criteria that receive a new version. Undefined for a new approval. */
  approval?: Approval;
  /** Receives keyboard focus if the dialog was opened from a menu. */
  focusAfter?: RefObject<HTMLElement | null> | undefined;
  onClose: () => void;
}

/** Requests approval of criteria for meetings. The input is kept if the request fails. */
export function RequestCriteriaApprovalDialog({
  client,
  approval,
  focusAfter,
  onClose,
}: RequestCriteriaApprovalDialogProps) {
  const { control, register, handleSubmit, formState } = useForm({
    resolver: zodResolver(criteriaApprovalSchema),
    defaultValues: initialValues(approval),
  });
  const { errors } = formState;
  const { field: countries } = useController({ control, name: 'countries' });
  const request = useMutationWithToasts(requestCriteriaApprovalMutation, {
    success: [
      `Sent to ${client.name} for approval`,
      'The client’s approvers are notified by email. We email you when they decide.',
    ],
    failure: 'Could not request approval',
  });
  return (
    <FormDialog
      title={approval ? 'Next version of the criteria' : 'Ask for approval of criteria'}
      description={`Once ${client.name} approves these criteria, each later meeting is checked against them. Leave a field empty if it does not matter.`}
      submitLabel="Ask for approval"
      savesByKeyboard
      isPending={request.isPending}
      focusAfter={focusAfter}
      onClose={onClose}
      onSubmit={handleSubmit(
        (values) => request.mutate({ clientId: client.id, id: approval?.id, ...values }, { onSuccess: onClose }),
        showFirstError,
      )}
    >
      <Field label="Title" required aside="Required" error={errors.title?.message}>
        <Input data-initial-focus {...register('title')} />
      </Field>
      <Field
        label="Roles"
        help="One role per line. The person must have one of these roles."
        error={errors.roles?.message}
      >
        <Textarea rows={3} {...register('roles')} />
      </Field>
      <div className="grid gap-5 sm:grid-cols-2">
        <Field label="Minimum company size" help="Employees" error={errors.minimum_size?.message}>
          <Input inputMode="numeric" {...register('minimum_size')} />
        </Field>
        <Field label="Maximum company size" help="Employees" error={errors.maximum_size?.message}>
          <Input inputMode="numeric" {...register('maximum_size')} />
        </Field>
      </div>
      <CountriesField codes={countries.value} onChange={countries.onChange} inputRef={countries.ref} />
      <Field label="Minimum duration" help="Minutes" error={errors.minimum_minutes?.message}>
        <Input inputMode="numeric" {...register('minimum_minutes')} />
      </Field>
      <Switch label="The company must not be a customer yet" {...register('excludes_customers')} />
      <Field label="Answer needed by" error={errors.due_on?.message}>
        <Input type="date" {...register('due_on')} />
      </Field>
    </FormDialog>
  );
}

function initialValues(approval: Approval | undefined) {
  const criteria = approval && parseCriteria(approval.text);
  return {
    title: approval?.title ?? 'Criteria for meetings',
    due_on: approval?.due_on ?? '',
    roles: criteria?.roles.join('\n') ?? '',
    minimum_size: String(criteria?.minimum_size ?? ''),
    maximum_size: String(criteria?.maximum_size ?? ''),
    countries: criteria?.countries ?? [],
    excludes_customers: criteria?.excludes_customers ?? false,
    minimum_minutes: String(criteria?.minimum_minutes ?? ''),
  };
}
