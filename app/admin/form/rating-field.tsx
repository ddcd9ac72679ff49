import { useFormContext } from 'react-hook-form';
import { Field } from '../../ui/field.tsx';
import { Select } from '../../ui/select.tsx';
import { useFieldError } from './use-field-error.ts';

const RATINGS = [1, 2, 3, 4, 5];

export function RatingField() {
  const { register } = useFormContext();
  return (
    <Field label="Rating" error={useFieldError('rating')}>
      <Select {...register('rating', { valueAsNumber: true })}>
        {RATINGS.map((rating) => (
          <option key={rating} value={rating}>
            {rating}
          </option>
        ))}
      </Select>
    </Field>
  );
}
