/** Creates a slug from a title: lower case, hyphens for spaces. Characters that end a URL path count as spaces. */
export function slugFromTitle(title: string): string {
  return title.replace(/[/?#]/g, ' ').trim().toLowerCase().replace(/\s+/g, '-');
}
