/**
 * Creates a slug from a title, in lower case and with hyphens for spaces. `/`, `?` and `#` are treated as spaces,
 * because a slug is a single path segment.
 */
export function slugFromTitle(title: string): string {
  return title.replace(/[/?#]/g, ' ').trim().toLowerCase().replace(/\s+/g, '-');
}
