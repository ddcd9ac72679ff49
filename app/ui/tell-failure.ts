import { toast } from './toast.ts';

/** Tells a failure of an auth form: what the server refused, with its words, or that something else went wrong. */
export function tellFailure(title: string, error: unknown): void {
  const message = error instanceof Error ? error.message : '';
  if (isRefusal(error)) toast.error(title, message);
  else toast.error('An error occurred', message || 'Please try again later.');
}

/** An answer of the server (4xx of the authentication service, or any error of the table API), not a broken network. */
function isRefusal(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ('details' in error) return true;
  return 'status' in error && typeof error.status === 'number' && error.status >= 400 && error.status < 500;
}
