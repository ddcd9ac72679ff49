import { isImportError } from './lib/import-error.ts';
import { plainMessage } from './lib/plain-error.ts';
import { toast } from './toast.ts';

/** Returns the message to display for an error. The PostgREST client also throws plain objects. */
export function messageOf(error: unknown): string {
  if (isImportError(error)) return 'Please check your connection and try again.';
  const message = typeof error === 'object' && error !== null && 'message' in error ? error.message : undefined;
  if (typeof message !== 'string' || message === '') return 'Please try again later.';
  return plainMessage(message) ?? message;
}

/** Shows an error toast with the failed action and the server's message. Use it for all failures. */
export function showError(title: string, error: unknown): void {
  toast.error(title, messageOf(error));
}
