import { zodResolver } from '@hookform/resolvers/zod';
import type { RefObject } from 'react';
import { useForm } from 'react-hook-form';
import { Field } from '../../ui/field.tsx';
import { showFirstError } from '../../ui/first-error.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Textarea } from '../../ui/textarea.tsx';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import { type Approval, decideMutation, decisionSchema, type Verdict, verdictLabel } from './approvals.ts';

const LABELS = {
  yes: {
    title: 'Approve this?',
    description: 'We use it exactly as shown.',
    label: 'Comment',
    submitLabel: 'Approve',
  },
  changes: {
    title: 'Request changes?',
    description: 'Nothing is approved. We send you the changed version for approval.',
    label: 'What should change?',
    submitLabel: 'Request changes',
  },
  no: {
    title: 'Decline this?',
    description: 'We will not use it.',
    label: 'Reason',
    submitLabel: 'Decline',
  },
} as const;

interface DecideDialogProps {
  clientId: string;
  approval: Approval;
  verdict: Verdict;
  /** Receives keyboard focus afterwards, because a decision removes the pressed buttons. */
  focusAfter: RefObject<HTMLElement | null>;
  onClose: () => void;
}

/** Asks the user to confirm a decision and to add a comment. Decisions are final. */
export function DecideDialog({ clientId, approval, verdict, focusAfter, onClose }: DecideDialogProps) {
  const { title, description, label, submitLabel } = LABELS[verdict];
  const { register, handleSubmit, formState } = useForm({
    resolver: zodResolver(decisionSchema(verdict)),
    defaultValues: { comment: '' },
  });
  const decide = useMutationWithToasts(decideMutation, {
    success: [`${verdictLabel(verdict)}: ${approval.title}`, 'We have been notified by email.'],
    failure: 'Could not save your decision',
  });
  return (
    <FormDialog
      title={title}
      description={`“${approval.title}”, version ${approval.number}. ${verdict === 'yes' && approval.veto_count > 0 ? 'We use all rows except those you removed.' : description}`}
      submitLabel={submitLabel}
      submitVariant={verdict === 'no' ? 'danger' : 'primary'}
      savesByKeyboard
      isPending={decide.isPending}
      focusAfter={focusAfter}
      onClose={onClose}
      onSubmit={handleSubmit(
        ({ comment }) =>
          decide.mutate(
            { clientId, id: approval.id, number: approval.number, verdict, comment },
            { onSuccess: onClose },
          ),
        showFirstError,
      )}
    >
      <Field
        label={label}
        required={verdict !== 'yes'}
        aside={verdict === 'yes' ? 'Optional' : 'Required'}
        error={formState.errors.comment?.message}
      >
        <Textarea {...register('comment')} />
      </Field>
    </FormDialog>
  );
}
