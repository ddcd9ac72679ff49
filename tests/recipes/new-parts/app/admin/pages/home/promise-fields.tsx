import type { Promised } from '../../../content/pages/promise.ts';
import { TextareaField, TextField } from '../../../ui/form/text-field.tsx';

export function PromiseFields() {
  return (
    <>
      <TextField<Promised> name="heading" />
      <TextareaField<Promised> name="text" />
    </>
  );
}
