import type { Promised } from '../../../data/pages/promise.ts';
import { TextareaField, TextField } from '../../../form/text-field.tsx';

export function PromiseFields() {
  return (
    <>
      <TextField<Promised> name="heading" />
      <TextareaField<Promised> name="text" />
    </>
  );
}
