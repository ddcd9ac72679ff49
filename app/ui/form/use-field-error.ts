import { get, useFormState } from 'react-hook-form';

/** Returns the message of one field of the surrounding form; typing elsewhere does not render the caller again. */
export function useFieldError(name: string): string | undefined {
  const { errors } = useFormState({ name });
  const error: unknown = get(errors, name);
  // A list of texts has its errors per entry: the first one is said.
  const first = Array.isArray(error) ? error.find(Boolean) : error;
  return typeof first?.message === 'string' ? first.message : undefined;
}
