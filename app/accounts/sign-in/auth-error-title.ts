import { errorCode } from '../../api/error-code.ts';

/** Returns `title` if the server rejected the sign-in or sign-up, otherwise a generic title. */
export function authErrorTitle(title: string, error: unknown): string {
  return isRejection(error) ? title : 'An error occurred';
}

/**
 * True if the server rejected the request (a 4xx from the auth service, or any error from the table API) or the user
 * closed the captcha. False for network and server errors.
 */
function isRejection(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ('details' in error || errorCode(error) === 'captcha_closed') return true;
  return 'status' in error && typeof error.status === 'number' && error.status >= 400 && error.status < 500;
}
