import { zodResolver } from '@hookform/resolvers/zod';
import type { RefObject } from 'react';
import { useForm } from 'react-hook-form';
import { Field } from '../../ui/field.tsx';
import { showFirstError } from '../../ui/first-error.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Textarea } from '../../ui/textarea.tsx';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import { type Approval, changesSchema, decideMutation } from './approvals.ts';

interface ChangeDialogProps {
  clientId: string;
  approval: Approval;
  /** Receives keyboard focus afterwards, because a decision removes the pressed buttons. */
  focusAfter: RefObject<HTMLElement | null>;
  onClose: () => void;
}

/** Lets an approver edit a text and approve the result. */
export function ChangeDialog({ clientId, approval, focusAfter, onClose }: ChangeDialogProps) {
  const { id, title, number, text } = approval;
  const { register, handleSubmit, formState } = useForm({
    resolver: zodResolver(changesSchema(text)),
    defaultValues: { wording: text, comment: '' },
  });
  const decide = useMutationWithToasts(decideMutation, {
    success: [
      `Approved with changes: ${title}`,
      `Your text is saved as version ${number + 1}. We have been notified by email.`,
    ],
    failure: 'Could not save your decision',
  });
  return (
    <FormDialog
      title="Approve with changes?"
      description={`“${title}”, version ${number}. The text is approved exactly as you write it here.`}
      submitLabel="Approve with changes"
      savesByKeyboard
      isPending={decide.isPending}
      focusAfter={focusAfter}
      onClose={onClose}
      onSubmit={handleSubmit(
        (input) => decide.mutate({ clientId, id, number, verdict: 'changes', ...input }, { onSuccess: onClose }),
        showFirstError,
      )}
    >
      <Field label="Your text" error={formState.errors.wording?.message}>
        <Textarea data-initial-focus rows={10} {...register('wording')} />
      </Field>
      <Field label="Comment" aside="Optional" error={formState.errors.comment?.message}>
        <Textarea {...register('comment')} />
      </Field>
    </FormDialog>
  );
}
