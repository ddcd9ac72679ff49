import { zodResolver } from '@hookform/resolvers/zod';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { FormProvider, useForm } from 'react-hook-form';
import { followUpMutation, followUpSchema, LEAD_STATUSES, type Lead, leadOwnersQuery } from '../data/leads/leads.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { tellFirstError } from '../ui/first-error.ts';
import { Form } from '../ui/form.tsx';
import { Select } from '../ui/select.tsx';
import { Textarea } from '../ui/textarea.tsx';
import { useMutationWithToasts } from '../ui/use-mutation-with-toasts.ts';
import { isStatus, leadName } from './lead-words.tsx';

interface FollowUpFormProps {
  lead: Lead;
  /** Guards of unsaved changes, if the screen has them. */
  guards?: ReactNode;
}

/** Form for following up a lead: its status, its owner, and their notes. */
export function FollowUpForm({ lead, guards }: FollowUpFormProps) {
  const { data: owners } = useQuery(leadOwnersQuery);
  const form = useForm({
    resolver: zodResolver(followUpSchema),
    defaultValues: {
      status: isStatus(lead.status) ? lead.status : 'new',
      owner_id: lead.owner_id ?? '',
      note: lead.note,
    },
  });
  const { register, handleSubmit, formState, getValues } = form;
  const save = useMutationWithToasts(followUpMutation, {
    success: 'Lead updated successfully',
    failure: 'Error updating lead',
  });
  return (
    <FormProvider {...form}>
      <Form
        savesByKeyboard
        aria-label={`Follow up ${leadName(lead)}`}
        className="grid grid-cols-1 gap-5"
        onSubmit={handleSubmit(
          (values) =>
            save.mutate(
              { id: lead.id, ...values },
              // Keeps what was typed while the request was under way.
              { onSuccess: () => form.reset(values, { keepValues: true }) },
            ),
          tellFirstError,
        )}
      >
        {guards}
        <div className="grid gap-5 sm:grid-cols-2">
          <Field label="Status">
            <Select {...register('status')}>
              {Object.entries(LEAD_STATUSES).map(([value, word]) => (
                <option key={value} value={value}>
                  {word}
                </option>
              ))}
            </Select>
          </Field>
          <Field label="Owner">
            {/* A select chooses by what it holds when it appears. */}
            <Select key={owners ? 'known' : 'loading'} {...register('owner_id')}>
              <option value="">Nobody</option>
              {owners?.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
              {!owners && getValues('owner_id') !== '' && <option value={getValues('owner_id')}>...</option>}
            </Select>
          </Field>
        </div>
        <Field label="Note" error={formState.errors.note?.message}>
          <Textarea rows={3} {...register('note')} />
        </Field>
        <Button type="submit" variant="secondary" loading={save.isPending} className="justify-self-end">
          Save
        </Button>
      </Form>
    </FormProvider>
  );
}
