import type { ComponentProps, ReactNode } from 'react';
import { useFormContext } from 'react-hook-form';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { Select } from '../../ui/select.tsx';
import { Textarea } from '../../ui/textarea.tsx';
import { fieldLabel } from './field-label.ts';
import { useFieldError } from './use-field-error.ts';

/** What every field of a form takes; the label comes from the column unless another is given. */
export interface FieldOptions {
  name: string;
  label?: string;
  help?: ReactNode;
  required?: boolean;
}

export function TextField({ name, label, help, required, ...input }: FieldOptions & ComponentProps<'input'>) {
  const { register } = useFormContext();
  return (
    <Field label={label ?? fieldLabel(name)} help={help} required={required} error={useFieldError(name)}>
      <Input {...input} {...register(name)} />
    </Field>
  );
}

export function TextareaField({ name, label, help, required, rows }: FieldOptions & { rows?: number }) {
  const { register } = useFormContext();
  return (
    <Field label={label ?? fieldLabel(name)} help={help} required={required} error={useFieldError(name)}>
      <Textarea rows={rows} {...register(name)} />
    </Field>
  );
}

/** Draft or published. */
export function StatusField() {
  const { register } = useFormContext();
  return (
    <Field label="Status" help="Only published items are on the public site." error={useFieldError('status')}>
      <Select {...register('status')}>
        <option value="draft">Draft</option>
        <option value="published">Published</option>
      </Select>
    </Field>
  );
}

export function DisplayOrderField() {
  return (
    <TextField
      name="display_order"
      type="number"
      step={1}
      help="Smaller numbers come first; negative ones are allowed."
    />
  );
}
