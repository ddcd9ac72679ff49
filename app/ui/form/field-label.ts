/** Returns the label of a field: 'Featured image' for 'featured_image'. Avatars are uploaded, so 'URL' is omitted. */
export function fieldLabel(name: string): string {
  const label = name
    .replace('avatar_url', 'picture')
    .replaceAll('_', ' ')
    .replace(/([a-z])([A-Z])/g, (_pair, last: string, first: string) => `${last} ${first.toLowerCase()}`)
    .replace(/\burl\b/, 'URL');
  return label.charAt(0).toUpperCase() + label.slice(1);
}
