import { zodResolver } from '@hookform/resolvers/zod';
import { useId } from 'react';
import { useForm } from 'react-hook-form';
import { z } from 'zod';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { tellFirstError } from '../../ui/first-error.ts';
import { Form } from '../../ui/form.tsx';
import { Input } from '../../ui/input.tsx';
import { requiredMark } from '../form/required-mark.ts';

const schema = z.object({
  name: z.string().trim().min(1, 'Name is required').max(120, 'Name must be less than 120 characters'),
});

interface NameDialogProps {
  title: string;
  /** Name so far. */
  name: string;
  saveLabel: string;
  isSaving: boolean;
  onClose: () => void;
  onSave: (name: string) => void;
}

/** Asks what a release is called. */
export function NameDialog({ title, name, saveLabel, isSaving, onClose, onSave }: NameDialogProps) {
  const formId = useId();
  const { register, handleSubmit, formState } = useForm({ resolver: zodResolver(schema), defaultValues: { name } });
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={title}
      footer={
        <>
          <Button variant="secondary" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form={formId} loading={isSaving}>
            {saveLabel}
          </Button>
        </>
      }
    >
      <Form
        id={formId}
        onSubmit={handleSubmit((typed) => onSave(typed.name), tellFirstError)}
        className="grid grid-cols-1 gap-5 pt-1"
      >
        <Field
          label="Name"
          {...requiredMark(true)}
          help="For you and your team; visitors never see it."
          error={formState.errors.name?.message}
        >
          <Input autoComplete="off" data-initial-focus {...register('name')} />
        </Field>
      </Form>
    </Dialog>
  );
}
