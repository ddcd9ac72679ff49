import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import { type AssistantCheck, checkSchema, saveCheckMutation } from '../../data/chat/assistant-checks.ts';
import { RefusedWrite } from '../../form/refused-write.tsx';
import { requiredMark } from '../../form/required-mark.ts';
import { Field } from '../../ui/field.tsx';
import { tellFirstError } from '../../ui/first-error.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Input } from '../../ui/input.tsx';
import { Textarea } from '../../ui/textarea.tsx';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';

interface CheckDialogProps {
  /** Check to change; without one the dialog adds one. */
  check: AssistantCheck | undefined;
  onClose: () => void;
}

/** Asks for a question and what its answer must name. The typed text stays when it fails. */
export function CheckDialog({ check, onClose }: CheckDialogProps) {
  const { register, handleSubmit, formState } = useForm({
    resolver: zodResolver(checkSchema),
    defaultValues: {
      question: check?.question ?? '',
      must_name: check?.must_name.join('\n') ?? '',
      must_not_name: check?.must_not_name.join('\n') ?? '',
    },
  });
  const { errors } = formState;
  const save = useMutationWithToasts(saveCheckMutation, {
    success: 'Check saved and run',
    failure: 'Error saving check',
  });
  return (
    <FormDialog
      title={check ? 'Edit check' : 'New check'}
      submitLabel="Save and run"
      isPending={save.isPending}
      onClose={onClose}
      onSubmit={handleSubmit(
        (values) => save.mutate({ id: check?.id, check: values }, { onSuccess: onClose }),
        tellFirstError,
      )}
    >
      <RefusedWrite error={save.error} />
      <Field
        label="Question"
        {...requiredMark(true)}
        help="As a visitor would ask it."
        error={errors.question?.message}
      >
        <Input autoComplete="off" data-initial-focus {...register('question')} />
      </Field>
      <Field
        label="The answer must name"
        help="One phrase a line: words of the answer, or an address that it links."
        error={errors.must_name?.message}
      >
        <Textarea rows={3} {...register('must_name')} />
      </Field>
      <Field label="It must not name" help="One phrase a line." error={errors.must_not_name?.message}>
        <Textarea rows={2} {...register('must_not_name')} />
      </Field>
    </FormDialog>
  );
}
