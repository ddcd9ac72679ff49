/**
 * Returns the address part made from a title: lower case, spaces replaced by hyphens. The signs that end a path in an
 * address count as spaces.
 */
export function slugFromTitle(title: string): string {
  return title.replace(/[/?#]/g, ' ').trim().toLowerCase().replace(/\s+/g, '-');
}
