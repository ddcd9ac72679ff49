import type { ComponentProps } from 'react';
import { FormProvider } from 'react-hook-form';
import { showFirstError } from '../ui/first-error.ts';
import { SaveError } from '../ui/form/save-error.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { Conflict } from './conflict.tsx';
import type { Editing } from './use-document.ts';

type DocumentDialogProps = Omit<ComponentProps<typeof FormDialog>, 'onSubmit' | 'isPending'> & { editing: Editing };

/** Renders a document form in a dialog. Keeps the input if saving fails or a conflict occurs. */
export function DocumentDialog({ editing, children, ...dialog }: DocumentDialogProps) {
  const { form, save, isSaving, saveError } = editing;
  return (
    <FormProvider {...form}>
      <FormDialog {...dialog} isPending={isSaving} onSubmit={form.handleSubmit(save, showFirstError)}>
        <SaveError error={saveError} />
        {children}
      </FormDialog>
      <Conflict editing={editing} />
    </FormProvider>
  );
}
