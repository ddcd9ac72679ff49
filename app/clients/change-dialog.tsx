import { zodResolver } from '@hookform/resolvers/zod';
import type { RefObject } from 'react';
import { useForm } from 'react-hook-form';
import { type Approval, changesSchema, decideMutation } from '../data/clients/approvals.ts';
import { Field } from '../ui/field.tsx';
import { tellFirstError } from '../ui/first-error.ts';
import { FormDialog } from '../ui/form-dialog.tsx';
import { Textarea } from '../ui/textarea.tsx';
import { useMutationWithToasts } from '../ui/use-mutation-with-toasts.ts';

interface ChangeDialogProps {
  clientId: string;
  approval: Approval;
  /** Takes the focus afterwards: the buttons of what is decided are gone. */
  focusAfter: RefObject<HTMLElement | null>;
  onClose: () => void;
}

/** Takes a yes with changes: the text as the client wants it, which is agreed then, or only what should be different. */
export function ChangeDialog({ clientId, approval, focusAfter, onClose }: ChangeDialogProps) {
  const { id, title, number, text } = approval;
  const { register, handleSubmit, formState } = useForm({
    resolver: zodResolver(changesSchema(text)),
    defaultValues: { text, comment: '' },
  });
  const decide = useMutationWithToasts(decideMutation, {
    success: (_data, { wording }) =>
      wording === undefined
        ? [`Changes wanted: ${title}`, 'The changed text waits for your yes when it is there.']
        : [`Agreed: ${title}`, `Your wording is version ${number + 1}. Who asked you is told by mail.`],
    failure: 'Your decision was not taken',
  });
  return (
    <FormDialog
      title="Approve with changes?"
      description={`“${title}”, version ${number}. What you write into the text is agreed as it stands. If you only say what should be different, we write it and ask you again.`}
      submitLabel="Approve with changes"
      savesByKeyboard
      isPending={decide.isPending}
      focusAfter={focusAfter}
      onClose={onClose}
      onSubmit={handleSubmit(
        (given) => decide.mutate({ clientId, id, number, verdict: 'changes', ...given }, { onSuccess: onClose }),
        tellFirstError,
      )}
    >
      <Field label="The text as you want it" error={formState.errors.text?.message}>
        <Textarea data-initial-focus rows={10} {...register('text')} />
      </Field>
      <Field label="What should be different" aside="Optional" error={formState.errors.comment?.message}>
        <Textarea {...register('comment')} />
      </Field>
    </FormDialog>
  );
}
