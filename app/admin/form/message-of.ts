/** What the backend said, for the second line of an error toast. */
export function messageOf(error: unknown): string {
  return error instanceof Error && error.message ? error.message : 'Please try again.';
}
