/**
 * Codes of errors whose message is shown to the visitor. The app throws `captcha_closed` if the visitor closes the
 * captcha. Our SQL raises the other codes (rejected, not found, conflict, rate limit).
 */
const VISITOR_CODES = ['P0001', '22023', 'PT404', 'PT409', 'PT429', 'captcha_closed'];

/** Returns the SQLSTATE, or the code of Supabase Auth or PostgREST. Returns '' for other errors. */
export function errorCode(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
}

/** Returns the message for the visitor if the request was rejected, or null for other errors. */
export function rejectionMessage(error: unknown): string | null {
  return error instanceof Error && VISITOR_CODES.includes(errorCode(error)) ? error.message : null;
}

/** True if another item uses the slug (SQLSTATE 23505). */
export function isDuplicateSlug(error: unknown): boolean {
  return error instanceof Error && errorCode(error) === '23505' && error.message.includes('slug');
}

/** True if the URL contains an invalid id (SQLSTATE 22P02). */
export function isInvalidId(error: unknown): boolean {
  return errorCode(error) === '22P02';
}

/**
 * True if the database requires the visitor to solve a captcha or to open an emailed link first. Our SQL raises this
 * code under high load.
 */
export function requiresConfirmation(error: unknown): boolean {
  return errorCode(error) === 'PT428';
}
