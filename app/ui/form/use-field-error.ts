import { get, useFormState } from 'react-hook-form';

/** Returns the error of one field. Does not rerender for other fields. */
export function useFieldError(name: string): string | undefined {
  const { errors } = useFormState({ name });
  const error: unknown = get(errors, name);
  // A list of texts has an error per entry. Show the first.
  const first = Array.isArray(error) ? error.find(Boolean) : error;
  return typeof first?.message === 'string' ? first.message : undefined;
}
