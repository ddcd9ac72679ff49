/** 'Featured image' from 'featured_image': the label of a field, also when its column is named elsewhere. */
export function fieldLabel(column: string): string {
  const words = column.replaceAll('_', ' ').replace(/\burl\b/, 'URL');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
