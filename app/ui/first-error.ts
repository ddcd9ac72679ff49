import type { FieldErrors } from 'react-hook-form';
import { toast } from './toast.ts';

/** Returns the message of the first field that a schema refused, in the order of the schema. */
export function firstError(errors: FieldErrors): string {
  const [first] = Object.values(errors);
  return typeof first?.message === 'string' ? first.message : '';
}

/** Tells the first error of `handleSubmit` in a toast. Each field shows its own, and the first one takes the focus. */
export function tellFirstError(errors: FieldErrors): void {
  toast.error('Validation error', firstError(errors));
}
