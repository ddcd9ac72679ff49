import { errorCode } from '../../api/error-code.ts';

/** Title for a failed sign-in or sign-up: a specific one for server errors, a general one otherwise. */
export function authFailure(sentence: string, error: unknown): string {
  return isRefusal(error) ? sentence : 'An error occurred';
}

/**
 * True if the server answered (4xx of the authentication service, any error of the table API) or the user closed the
 * captcha. False for network errors.
 */
function isRefusal(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ('details' in error || errorCode(error) === 'captcha_closed') return true;
  return 'status' in error && typeof error.status === 'number' && error.status >= 400 && error.status < 500;
}
