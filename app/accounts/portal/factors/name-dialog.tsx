import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import { z } from 'zod';
import { Field } from '../../../ui/field.tsx';
import { FormDialog } from '../../../ui/form-dialog.tsx';
import { Input } from '../../../ui/input.tsx';
import { messageOf } from '../../../ui/show-error.ts';
import { useMutationWithToasts } from '../../../ui/use-mutation-with-toasts.ts';
import { isKeyCancelled } from '../../factors.ts';

export const nameSchema = z.object({
  name: z.string().trim().min(1, 'Enter a name').max(120, 'Name must be at most 120 characters'),
});

interface NameDialogProps {
  title: string;
  description: string;
  /** Initial value. */
  suggestion: string;
  submitLabel: string;
  success: string;
  failure: string;
  save: (name: string) => Promise<void>;
  onSaved: () => Promise<void>;
  onClose: () => void;
}

/** Asks for a name and passes it to `save`. Errors are shown at the field. */
export function NameDialog({ title, description, suggestion, submitLabel, ...rest }: NameDialogProps) {
  const { success, failure, save, onSaved, onClose } = rest;
  const { register, handleSubmit, formState, setError } = useForm({
    resolver: zodResolver(nameSchema),
    defaultValues: { name: suggestion },
  });
  const saveName = useMutationWithToasts(
    {
      mutationFn: save,
      onSuccess: async () => {
        await onSaved();
        onClose();
      },
    },
    { success, failure: () => null },
  );
  const onSubmit = handleSubmit(({ name }) =>
    saveName.mutate(name, {
      onError: (error) => {
        const message = isKeyCancelled(error) ? `${failure}. The browser’s dialog was cancelled.` : messageOf(error);
        setError('name', { message }, { shouldFocus: true });
      },
    }),
  );
  return (
    <FormDialog
      title={title}
      description={description}
      submitLabel={submitLabel}
      isPending={saveName.isPending}
      onClose={onClose}
      onSubmit={onSubmit}
    >
      <Field label="Name" error={formState.errors.name?.message}>
        <Input data-initial-focus autoComplete="off" {...register('name')} />
      </Field>
    </FormDialog>
  );
}
