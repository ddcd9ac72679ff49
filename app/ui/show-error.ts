import { isImportError } from './lib/import-error.ts';
import { plainSentence } from './lib/plain-error.ts';
import { toast } from './toast.ts';

/** Returns the message of an error, for a person to read. The table client also throws plain objects. */
export function messageOf(error: unknown): string {
  if (isImportError(error)) return 'Please check your connection and try again.';
  const message = typeof error === 'object' && error !== null && 'message' in error ? error.message : undefined;
  if (typeof message !== 'string' || message === '') return 'Please try again later.';
  return plainSentence(message) ?? message;
}

/**
 * Tells that something failed: the sentence of the action, and below it what the backend said. All failures take this
 * way.
 */
export function tellFailure(sentence: string, error: unknown): void {
  toast.error(sentence, messageOf(error));
}
