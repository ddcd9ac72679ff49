/**
 * Raised by our own SQL, each with a sentence for the visitor: refused, gone, taken meanwhile, too much from one address. The
 * last is that of a captcha which the visitor closed.
 */
const FOR_VISITORS = ['P0001', '22023', 'PT404', 'PT409', 'PT429', 'captcha_closed'];

/** Returns the code of an error of the backend: a SQLSTATE, or one of Supabase Auth or PostgREST. Empty where it has none. */
export function errorCode(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
}

/** Returns the sentence in which it was refused what a visitor asked; null for an error not meant for them. */
export function refusalOf(error: unknown): string | null {
  return error instanceof Error && FOR_VISITORS.includes(errorCode(error)) ? error.message : null;
}

/** Tells whether another item has the slug already (SQLSTATE 23505). */
export function isSlugClash(error: unknown): boolean {
  return error instanceof Error && errorCode(error) === '23505' && error.message.includes('slug');
}

/** Tells whether an address has something else than an id in it (SQLSTATE 22P02). */
export function isNoId(error: unknown): boolean {
  return errorCode(error) === '22P02';
}

/**
 * Tells whether the database took nothing, and asks for a solved captcha or would hold it until the visitor opens the link in their
 * mail: our own SQL raises it where many ask at once.
 */
export function wantsProof(error: unknown): boolean {
  return errorCode(error) === 'PT428';
}
