import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import { z } from 'zod';
import { Field } from '../../ui/field.tsx';
import { showFirstError } from '../../ui/first-error.ts';
import { requiredMark } from '../../ui/form/required-mark.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Input } from '../../ui/input.tsx';

const schema = z.object({
  name: z.string().trim().min(1, 'Name is required').max(120, 'Name must be at most 120 characters'),
});

interface NameDialogProps {
  title: string;
  /** Current name. */
  name: string;
  saveLabel: string;
  isSaving: boolean;
  onClose: () => void;
  onSave: (name: string) => void;
}

/** Renders a dialog for the name of a release. */
export function NameDialog({ title, name, saveLabel, isSaving, onClose, onSave }: NameDialogProps) {
  const { register, handleSubmit, formState } = useForm({ resolver: zodResolver(schema), defaultValues: { name } });
  return (
    <FormDialog
      title={title}
      submitLabel={saveLabel}
      isPending={isSaving}
      onClose={onClose}
      onSubmit={handleSubmit((values) => onSave(values.name), showFirstError)}
    >
      <Field
        label="Name"
        {...requiredMark(true)}
        help="For you and your team. Visitors never see it."
        error={formState.errors.name?.message}
      >
        <Input autoComplete="off" data-initial-focus {...register('name')} />
      </Field>
    </FormDialog>
  );
}
