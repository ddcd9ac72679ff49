/** 'Featured image' from 'featured_image' or 'featuredImage': the label of a field, also when it is named elsewhere. */
export function fieldLabel(name: string): string {
  const words = name
    .replaceAll('_', ' ')
    .replace(/([a-z])([A-Z])/g, (_pair, last: string, first: string) => `${last} ${first.toLowerCase()}`)
    .replace(/\burl\b/, 'URL');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
