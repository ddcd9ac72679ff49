/** Returns whether a value is a path of this site. Two slashes would lead to another host. */
export function isOwnPath(value: unknown): value is string {
  return typeof value === 'string' && /^\/(?![/\\])/.test(value);
}
