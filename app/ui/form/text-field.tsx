import type { ComponentProps } from 'react';
import { type FieldValues, useFormContext } from 'react-hook-form';
import { Field } from '../field.tsx';
import { Input } from '../input.tsx';
import { Textarea } from '../textarea.tsx';
import { fieldLabel } from './field-label.ts';
import type { FieldOptions } from './field-options.ts';
import { requiredMark } from './required-mark.ts';
import { useFieldError } from './use-field-error.ts';

type TextFieldProps<Values extends FieldValues> = FieldOptions<Values, string | number> &
  Omit<ComponentProps<'input'>, 'name' | 'required'>;

/** Single-line text field. Requires an explicit form type: `<TextField<PostForm> name="title" />`. */
export function TextField<Values extends FieldValues = never>(props: TextFieldProps<Values>) {
  const { name, label, help, required, ...input } = props;
  const { register } = useFormContext();
  return (
    <Field label={label ?? fieldLabel(name)} help={help} {...requiredMark(required)} error={useFieldError(name)}>
      <Input {...input} {...register(name)} />
    </Field>
  );
}

type TextareaFieldProps<Values extends FieldValues> = FieldOptions<Values> & { rows?: number };

export function TextareaField<Values extends FieldValues = never>(props: TextareaFieldProps<Values>) {
  const { name, label, help, required, rows } = props;
  const { register } = useFormContext();
  return (
    <Field label={label ?? fieldLabel(name)} help={help} {...requiredMark(required)} error={useFieldError(name)}>
      <Textarea rows={rows} {...register(name)} />
    </Field>
  );
}

export function DisplayOrderField<Values extends FieldValues = never>({ name }: FieldOptions<Values, string | number>) {
  return (
    <TextField<Values>
      name={name}
      type="number"
      step={1}
      help="Items with smaller numbers come first. Negative numbers are allowed."
    />
  );
}
