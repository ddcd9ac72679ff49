/**
 * Encodes `^` in the path of a URL, as WHATWG URL parsers do. The router does not encode it, and redirects if its URL
 * differs from the browser's. Without this, `/news/a^b` would redirect to itself in a loop.
 */
export function encodeCarets(url: string): string {
  const end = url.search(/[?#]/);
  const path = end < 0 ? url : url.slice(0, end);
  return path.replaceAll('^', '%5E') + url.slice(path.length);
}
