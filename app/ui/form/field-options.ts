import type { ReactNode } from 'react';
import type { FieldPathByValue, FieldValues } from 'react-hook-form';

/** Names of the fields of a form that hold such a value. A name that the form does not have does not compile. */
export type FieldName<Values extends FieldValues, Value = string> = FieldPathByValue<Values, Value> & string;

/** Options of every field of a form; the label comes from the column unless another is given. */
export interface FieldOptions<Values extends FieldValues, Value = string> {
  /** The form is never guessed from the name, so a field without its form's type does not compile either. */
  name: NoInfer<FieldName<Values, Value>>;
  label?: string;
  help?: ReactNode;
  /** Mark beside the label, before anybody saves. */
  required?: true | 'to publish';
}
