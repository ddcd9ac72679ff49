/**
 * Encodes `^` in the path of a URL, as WHATWG URL parsers do. The router does not encode it, and redirects if its URL
 * differs from the browser's. Without this, `/news/a^b` would redirect to itself in a loop.
 */
export function encodeCarets(address: string): string {
  const end = address.search(/[?#]/);
  const path = end < 0 ? address : address.slice(0, end);
  return path.replaceAll('^', '%5E') + address.slice(path.length);
}
