/** Returns the code of an error of the backend, such as a SQLSTATE; undefined where it has none. */
export function errorCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** Tells whether another item has the slug already (SQLSTATE 23505). */
export function isSlugClash(error: unknown): boolean {
  return error instanceof Error && errorCode(error) === '23505' && error.message.includes('slug');
}

/** Tells whether an address has something else than an id in it (SQLSTATE 22P02). */
export function isNoId(error: unknown): boolean {
  return errorCode(error) === '22P02';
}
