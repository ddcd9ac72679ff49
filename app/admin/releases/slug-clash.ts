/** Tells whether another item has the slug already (SQLSTATE 23505). */
export function isSlugClash(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '23505' && error.message.includes('slug');
}
