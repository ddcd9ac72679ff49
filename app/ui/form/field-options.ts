import type { ReactNode } from 'react';
import type { FieldPathByValue, FieldValues } from 'react-hook-form';

/** Names of form fields with a value type. Unknown names do not compile. */
export type FieldName<Values extends FieldValues, Value = string> = FieldPathByValue<Values, Value> & string;

/** Options of all form fields. The label is derived from the column by default. */
export interface FieldOptions<Values extends FieldValues, Value = string> {
  /** The type is not inferred, so a field without an explicit form type does not compile. */
  name: NoInfer<FieldName<Values, Value>>;
  label?: string;
  help?: ReactNode;
  /** Shows 'Required' or 'Required to publish' beside the label. */
  required?: true | 'to publish';
}
