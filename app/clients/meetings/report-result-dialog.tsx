import { zodResolver } from '@hookform/resolvers/zod';
import type { RefObject } from 'react';
import { useForm } from 'react-hook-form';
import { Field } from '../../ui/field.tsx';
import { showFirstError } from '../../ui/first-error.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Select } from '../../ui/select.tsx';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import type { Client } from '../clients.ts';
import { meetingName, RESULTS } from './meeting-details.ts';
import { reportResultMutation } from './meeting-results.ts';
import type { Meeting } from './meetings.ts';
import { ResultDetails } from './result-details.tsx';
import { type NewReport, type ReportForm, reportSchema } from './result-form.ts';

interface ReportResultDialogProps {
  client: Pick<Client, 'id' | 'currency'>;
  meeting: Meeting;
  focusAfter: RefObject<HTMLElement | null>;
  onClose: () => void;
}

/** Asks for the result of a held meeting. The input is kept if saving fails. */
export function ReportResultDialog({ client, meeting, focusAfter, onClose }: ReportResultDialogProps) {
  const form = useForm<ReportForm, unknown, NewReport>({
    resolver: zodResolver(reportSchema),
    defaultValues: { status: '', amount: '', reason: '' },
  });
  const report = useMutationWithToasts(reportResultMutation, {
    success: 'Result saved',
    failure: 'Could not save the result',
  });
  const { register, handleSubmit, formState } = form;
  return (
    <FormDialog
      title="What was the result of this meeting?"
      description={`The meeting with ${meetingName(meeting)}. You can report another result later.`}
      submitLabel="Save"
      savesByKeyboard
      isPending={report.isPending}
      focusAfter={focusAfter}
      onClose={onClose}
      onSubmit={handleSubmit(
        (result) => report.mutate({ clientId: client.id, meeting, ...result }, { onSuccess: onClose }),
        showFirstError,
      )}
    >
      <Field label="Result" required aside="Required" error={formState.errors.status?.message}>
        <Select data-initial-focus {...register('status')}>
          <option value="">Choose a result</option>
          {Object.entries(RESULTS).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </Select>
      </Field>
      <ResultDetails form={form} currency={client.currency} />
    </FormDialog>
  );
}
