/** The address part made from a title: lower case, spaces replaced by hyphens. */
export function slugFromTitle(title: string): string {
  return title.trim().toLowerCase().replace(/\s+/g, '-');
}
