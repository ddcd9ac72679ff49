import { type FieldValues, useFormContext } from 'react-hook-form';
import { Field } from '../field.tsx';
import { Select } from '../select.tsx';
import type { FieldOptions } from './field-options.ts';
import { useFieldError } from './use-field-error.ts';

export function StatusField<Values extends FieldValues = never>({ name }: FieldOptions<Values, 'draft' | 'published'>) {
  const { register } = useFormContext();
  return (
    <Field label="Status" help="Only published items are on the public site." error={useFieldError(name)}>
      <Select {...register(name)}>
        <option value="draft">Draft</option>
        <option value="published">Published</option>
      </Select>
    </Field>
  );
}
