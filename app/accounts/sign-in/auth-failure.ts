import { errorCode } from '../../api/error-code.ts';

/**
 * Returns the title of a failed sign-in or sign-up: its own sentence for what the server refused, a general one for the
 * rest.
 */
export function authFailure(sentence: string, error: unknown): string {
  return isRefusal(error) ? sentence : 'An error occurred';
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
