import { errorCode } from '../data/api/error-code.ts';
import { messageOf } from '../ui/tell-failure.ts';

/**
 * Returns the title of a failed sign-in or sign-up: its own sentence for what the server refused, a general one for the
 * rest.
 */
export function authFailure(sentence: string, error: unknown): string {
  return isRefusal(error) ? sentence : 'An error occurred';
}

/** Returns what stays at the field after the toast has gone: the words of the server, or undefined without an error. */
export function refusalLine(error: Error | null): string | undefined {
  return error ? messageOf(error) : undefined;
}

/**
 * Tells whether the server answered (4xx of the authentication service, any error of the table API) or the person closed the
 * captcha, rather than a broken network.
 */
function isRefusal(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ('details' in error || errorCode(error) === 'captcha_closed') return true;
  return 'status' in error && typeof error.status === 'number' && error.status >= 400 && error.status < 500;
}
