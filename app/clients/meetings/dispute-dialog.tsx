import { zodResolver } from '@hookform/resolvers/zod';
import type { RefObject } from 'react';
import { useForm } from 'react-hook-form';
import { Field } from '../../ui/field.tsx';
import { showFirstError } from '../../ui/first-error.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Textarea } from '../../ui/textarea.tsx';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import { answerMeetingMutation, disputeSchema, type Meeting, OUTCOMES } from './meetings.ts';

interface DisputeDialogProps {
  clientId: string;
  meeting: Meeting;
  focusAfter: RefObject<HTMLElement | null>;
  onClose: () => void;
}

/** Asks for the reason for a dispute. The input is kept if saving fails. */
export function DisputeDialog({ clientId, meeting, focusAfter, onClose }: DisputeDialogProps) {
  const { register, handleSubmit, formState } = useForm({
    resolver: zodResolver(disputeSchema),
    defaultValues: { reason: '' },
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
        ({ reason }) => dispute.mutate({ clientId, meeting, answer: 'disputed', reason }, { onSuccess: onClose }),
        showFirstError,
      )}
    >
      <Field label="Reason" required aside="Required" error={formState.errors.reason?.message}>
        <Textarea data-initial-focus {...register('reason')} />
      </Field>
    </FormDialog>
  );
}
