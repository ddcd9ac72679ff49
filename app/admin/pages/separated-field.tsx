import { useState } from 'react';
import { type FieldValues, useController } from 'react-hook-form';
import { Field } from '../../ui/field.tsx';
import type { FieldOptions } from '../../ui/form/field-options.ts';
import { useFieldError } from '../../ui/form/use-field-error.ts';
import { Textarea } from '../../ui/textarea.tsx';
import { splitList } from './split-list.ts';

interface SeparatedFieldProps<Values extends FieldValues> extends FieldOptions<Values, string[]> {
  label: string;
  separator: ',' | '\n';
}

/** Renders a text field for a list. The form value is the list, and the field keeps the text as typed. */
export function SeparatedField<Values extends FieldValues = never>(props: SeparatedFieldProps<Values>) {
  const { name, label, help, separator } = props;
  const { field } = useController<FieldValues>({ name });
  const list: string[] = field.value;
  const listText = list.join(separator === ',' ? ', ' : '\n');
  const [typedText, setTypedText] = useState(listText);
  // The list differs from the typed text only after a form reset.
  const isTyped = splitList(typedText, separator).join('\n') === list.join('\n');
  return (
    <Field label={label} help={help} error={useFieldError(name)}>
      <Textarea
        ref={field.ref}
        name={name}
        rows={2}
        value={isTyped ? typedText : listText}
        onBlur={field.onBlur}
        onChange={(event) => {
          setTypedText(event.target.value);
          field.onChange(splitList(event.target.value, separator));
        }}
      />
    </Field>
  );
}
