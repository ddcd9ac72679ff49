import { zodResolver } from '@hookform/resolvers/zod';
import type { RefObject } from 'react';
import { useController, useForm } from 'react-hook-form';
import type { z } from 'zod';
import { Field } from '../../ui/field.tsx';
import { showFirstError } from '../../ui/first-error.ts';
import { SaveError } from '../../ui/form/save-error.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Input } from '../../ui/input.tsx';
import { Textarea } from '../../ui/textarea.tsx';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import { MessageText } from '../approvals/message-text.tsx';
import { libraryTextSchema, type Origin, saveLibraryTextMutation } from './library.ts';

interface LibraryTextDialogProps {
  title: string;
  description: string;
  origin: Origin;
  /** Initial values of the form. */
  values: z.input<typeof libraryTextSchema>;
  /** Receives keyboard focus if the dialog was opened from a menu. */
  focusAfter?: RefObject<HTMLElement | null> | undefined;
  onClose: () => void;
}

/** Saves a text to the library. Texts that contain the name of their client are rejected. */
export function LibraryTextDialog({ title, description, origin, values, focusAfter, onClose }: LibraryTextDialogProps) {
  const { control, register, handleSubmit, formState } = useForm({
    resolver: zodResolver(libraryTextSchema),
    defaultValues: values,
  });
  const { errors } = formState;
  const { field: body } = useController({ control, name: 'body' });
  const save = useMutationWithToasts(saveLibraryTextMutation, {
    success: 'Saved to the library',
    failure: 'Could not save the text',
  });
  return (
    <FormDialog
      title={title}
      description={description}
      submitLabel="Save"
      savesByKeyboard
      isPending={save.isPending}
      focusAfter={focusAfter}
      onClose={onClose}
      onSubmit={handleSubmit(
        (changed) => save.mutate({ origin, values: changed }, { onSuccess: onClose }),
        showFirstError,
      )}
    >
      <SaveError error={save.error} />
      <Field label="Title" required aside="Required" error={errors.title?.message}>
        <Input data-initial-focus {...register('title')} />
      </Field>
      <Field label="Subject" aside="Optional" error={errors.subject?.message}>
        <Input {...register('subject')} />
      </Field>
      <MessageText field={body} error={errors.body?.message} />
      <Field
        label="When to use it"
        aside="Optional"
        help="For example the kind of company, the step, or what worked well."
        error={errors.note?.message}
      >
        <Textarea rows={3} {...register('note')} />
      </Field>
    </FormDialog>
  );
}
