import { zodResolver } from '@hookform/resolvers/zod';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { showFirstError } from '../../ui/first-error.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Select } from '../../ui/select.tsx';
import { Textarea } from '../../ui/textarea.tsx';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import { LEAD_STATUSES, type Lead, type LeadStatus, leadName } from './lead-schema.ts';
import { changeStatusMutation, isLeadStatus, reasonSchema } from './leads.ts';

interface LeadActionsProps {
  clientId: string;
  lead: Lead;
}

/** Buttons to take a lead or change its status. */
export function LeadActions({ clientId, lead }: LeadActionsProps) {
  const [isAskingReason, setAskingReason] = useState(false);
  const change = useMutationWithToasts(changeStatusMutation, {
    success: (_result, { status }) => (status === 'taken' ? 'You have taken this lead' : 'Status saved'),
    failure: 'Could not save the status',
  });
  const changeStatus = (status: LeadStatus) => {
    if (status === 'not_fit') setAskingReason(true);
    else change.mutate({ clientId, lead, status });
  };
  return (
    <div className="flex flex-wrap items-end gap-3">
      {lead.status === 'new' && (
        <Button loading={change.isPending} onClick={() => changeStatus('taken')}>
          Take
        </Button>
      )}
      <Field label="Status" className="min-w-48 flex-1">
        <Select
          value={change.isPending ? change.variables.status : lead.status}
          disabled={change.isPending}
          onChange={({ target }) => isLeadStatus(target.value) && changeStatus(target.value)}
        >
          {Object.entries(LEAD_STATUSES).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </Select>
      </Field>
      {isAskingReason && <ReasonDialog clientId={clientId} lead={lead} onClose={() => setAskingReason(false)} />}
    </div>
  );
}

/** Asks why a lead does not fit. The input is kept if saving fails. */
function ReasonDialog({ clientId, lead, onClose }: LeadActionsProps & { onClose: () => void }) {
  const { register, handleSubmit, formState } = useForm({
    resolver: zodResolver(reasonSchema),
    defaultValues: { reason: '' },
  });
  const change = useMutationWithToasts(changeStatusMutation, {
    success: 'Status saved',
    failure: 'Could not save the status',
  });
  return (
    <FormDialog
      title="Not a fit?"
      description={`Why does ${leadName(lead)} not fit? We use this to choose better companies and people.`}
      submitLabel="Save"
      savesByKeyboard
      isPending={change.isPending}
      onClose={onClose}
      onSubmit={handleSubmit(
        ({ reason }) => change.mutate({ clientId, lead, status: 'not_fit', reason }, { onSuccess: onClose }),
        showFirstError,
      )}
    >
      <Field label="Reason" required aside="Required" error={formState.errors.reason?.message}>
        <Textarea data-initial-focus {...register('reason')} />
      </Field>
    </FormDialog>
  );
}
