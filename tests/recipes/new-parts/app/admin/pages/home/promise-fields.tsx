import type { PromiseContent } from '../../../content/pages/promise.ts';
import { TextareaField, TextField } from '../../../ui/form/text-field.tsx';

export function PromiseFields() {
  return (
    <>
      <TextField<PromiseContent> name="heading" />
      <TextareaField<PromiseContent> name="text" />
    </>
  );
}
