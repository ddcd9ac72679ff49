import { type FieldValues, useFormContext } from 'react-hook-form';
import { Field } from '../field.tsx';
import { Select } from '../select.tsx';
import type { FieldOptions } from './field-options.ts';
import { useFieldError } from './use-field-error.ts';

const RATINGS = [1, 2, 3, 4, 5];

export function RatingField<Values extends FieldValues = never>({ name }: FieldOptions<Values, number>) {
  const { register } = useFormContext();
  return (
    <Field label="Rating" error={useFieldError(name)}>
      <Select {...register(name, { valueAsNumber: true })}>
        {RATINGS.map((rating) => (
          <option key={rating} value={rating}>
            {rating}
          </option>
        ))}
      </Select>
    </Field>
  );
}
