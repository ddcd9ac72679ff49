import { type FieldValues, useFormContext } from 'react-hook-form';
import { Field } from '../../ui/field.tsx';
import { fieldLabel } from '../../ui/form/field-label.ts';
import type { FieldOptions } from '../../ui/form/field-options.ts';
import { requiredMark } from '../../ui/form/required-mark.ts';
import { useFieldError } from '../../ui/form/use-field-error.ts';
import { Writer } from './writer.tsx';

/**
 * Markdown editor: a text area with toolbar, shortcuts, rich paste, picture upload, and a preview by the component of
 * the public page.
 */
export function MarkdownField<Values extends FieldValues = never>({
  name,
  label,
  help,
  required,
}: FieldOptions<Values>) {
  const { register } = useFormContext();
  const title = label ?? fieldLabel(name);
  return (
    <Field label={title} help={help} {...requiredMark(required)} error={useFieldError(name)}>
      <Writer name={name} title={title} registration={register(name)} />
    </Field>
  );
}
