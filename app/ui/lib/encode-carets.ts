/**
 * Returns an address with `^` in its path encoded, as the URL parser of Node and of browsers does. The router leaves it
 * as it is, compares its address with the requested one and redirects when they differ: `/news/a^b` would redirect to
 * itself for ever.
 */
export function encodeCarets(address: string): string {
  const end = address.search(/[?#]/);
  const path = end < 0 ? address : address.slice(0, end);
  return path.replaceAll('^', '%5E') + address.slice(path.length);
}
