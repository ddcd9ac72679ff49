import { type FieldValues, useController } from 'react-hook-form';
import { Field } from '../field.tsx';
import { Input } from '../input.tsx';
import { fieldLabel } from './field-label.ts';
import type { FieldOptions } from './field-options.ts';
import { fromLocalInput, toLocalInput } from './local-time.ts';

interface DateFieldProps<Values extends FieldValues> extends FieldOptions<Values> {
  /** Defaults to the browser's time zone. */
  timeZone?: string;
}

/** Date and time field. The form stores the exact instant, seconds included, until the user picks another minute. */
export function DateField<Values extends FieldValues = never>({ name, label, help, timeZone }: DateFieldProps<Values>) {
  const { field, fieldState } = useController<FieldValues>({ name });
  return (
    <Field label={label ?? fieldLabel(name)} help={help} error={fieldState.error?.message}>
      <Input
        type="datetime-local"
        ref={field.ref}
        name={name}
        value={toLocalInput(field.value, timeZone)}
        onChange={(event) => field.onChange(fromLocalInput(event.target.value, timeZone))}
        onBlur={field.onBlur}
      />
    </Field>
  );
}
