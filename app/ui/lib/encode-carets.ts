/**
 * Encodes `^` in the path of a URL, as WHATWG URL parsers do. The router leaves it unencoded, compares the URLs and
 * redirects if they differ, so `/news/a^b` would redirect to itself in a loop.
 */
export function encodeCarets(address: string): string {
  const end = address.search(/[?#]/);
  const path = end < 0 ? address : address.slice(0, end);
  return path.replaceAll('^', '%5E') + address.slice(path.length);
}
