import type { ReactNode } from 'react';
import { type FieldValues, useFormContext } from 'react-hook-form';
import { Field } from '../field.tsx';
import { Select } from '../select.tsx';
import { fieldLabel } from './field-label.ts';
import type { FieldOptions } from './field-options.ts';
import { useFieldError } from './use-field-error.ts';

/** Select field. Its options are the children. */
export function SelectField<Values extends FieldValues = never>({
  name,
  label,
  help,
  children,
}: FieldOptions<Values> & { children: ReactNode }) {
  const { register } = useFormContext();
  return (
    <Field label={label ?? fieldLabel(name)} help={help} error={useFieldError(name)}>
      <Select {...register(name)}>{children}</Select>
    </Field>
  );
}
