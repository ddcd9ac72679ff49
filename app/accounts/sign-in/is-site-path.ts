/** True for a path on this site. A path with two leading slashes would point to another host. */
export function isSitePath(value: unknown): value is string {
  return typeof value === 'string' && /^\/(?![/\\])/.test(value);
}
