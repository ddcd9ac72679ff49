import type { FieldErrors } from 'react-hook-form';
import { toast } from './toast.ts';

/** Returns the first error message, in schema order. */
export function firstError(errors: FieldErrors): string {
  const [first] = Object.values(errors);
  return typeof first?.message === 'string' ? first.message : '';
}

/**
 * Shows the first error of `handleSubmit` in a toast. Each invalid field also shows its own error, and the first invalid
 * field is focused.
 */
export function showFirstError(errors: FieldErrors): void {
  toast.error('Validation error', firstError(errors));
}
