import { zodResolver } from '@hookform/resolvers/zod';
import type { RefObject } from 'react';
import { useForm } from 'react-hook-form';
import { Field } from '../../ui/field.tsx';
import { showFirstError } from '../../ui/first-error.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Select } from '../../ui/select.tsx';
import { Textarea } from '../../ui/textarea.tsx';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import { criterionSentences, parseCriteria } from '../approvals/criteria.ts';
import {
  answerMeetingMutation,
  type Dispute,
  type DisputeInput,
  disputeSchema,
  type Meeting,
  OUTCOMES,
} from './meetings.ts';

interface DisputeDialogProps {
  clientId: string;
  meeting: Meeting;
  focusAfter: RefObject<HTMLElement | null>;
  onClose: () => void;
}

/** Asks for the reason for a dispute. The input is kept if saving fails. */
export function DisputeDialog({ clientId, meeting, focusAfter, onClose }: DisputeDialogProps) {
  const { judgement } = meeting.details;
  const { register, handleSubmit, formState } = useForm<DisputeInput, unknown, Dispute>({
    resolver: zodResolver(disputeSchema),
    // Without criteria in force, the server stores no criterion.
    defaultValues: { reason: '', criterion: judgement ? '' : 'other' },
  });
  const dispute = useMutationWithToasts(answerMeetingMutation, {
    success: ['Meeting disputed', 'We have been notified by email.'],
    failure: 'Could not save your answer',
  });
  return (
    <FormDialog
      title="Dispute this meeting?"
      description={`${meeting.met_with}: ${OUTCOMES[meeting.outcome].toLowerCase()}. You can still accept it afterwards.`}
      submitLabel="Dispute"
      submitVariant="danger"
      savesByKeyboard
      isPending={dispute.isPending}
      focusAfter={focusAfter}
      onClose={onClose}
      onSubmit={handleSubmit(
        ({ reason, criterion }) =>
          dispute.mutate(
            { clientId, meeting, answer: 'disputed', reason, ...(judgement && { criterion }) },
            { onSuccess: onClose },
          ),
        showFirstError,
      )}
    >
      {judgement && (
        <Field label="Criterion" required aside="Required" error={formState.errors.criterion?.message}>
          <Select data-initial-focus {...register('criterion')}>
            <option value="">Choose a criterion</option>
            {criterionSentences(parseCriteria(judgement.text)).map(({ key, sentence }) => (
              <option key={key} value={key}>
                {sentence}
              </option>
            ))}
            <option value="other">Other</option>
          </Select>
        </Field>
      )}
      <Field label="Reason" required aside="Required" error={formState.errors.reason?.message}>
        <Textarea {...(!judgement && { 'data-initial-focus': true })} {...register('reason')} />
      </Field>
    </FormDialog>
  );
}
