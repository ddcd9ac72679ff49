/** What the backend said, for the second line of an error toast. The table client also throws plain objects. */
export function messageOf(error: unknown): string {
  const message = typeof error === 'object' && error !== null && 'message' in error ? error.message : undefined;
  return typeof message === 'string' && message !== '' ? message : 'Please try again.';
}
