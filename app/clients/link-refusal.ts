/** True if the response to opening an email link is a refusal. Checked without zod, so that a dead link loads less. */
export function isRefusal(data: unknown): data is { refusal: string } {
  return typeof data === 'object' && data !== null && 'refusal' in data && typeof data.refusal === 'string';
}
