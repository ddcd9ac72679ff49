/** Returns the pattern of LIKE and ILIKE for texts that contain this one, whatever characters it has. */
export function containsPattern(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`;
}

/** Builds a filter for `or()`: any of the columns contains the text, whatever characters it has. */
export function containsFilter(columns: readonly string[], text: string): string {
  const quoted = `"${containsPattern(text).replace(/[\\"]/g, '\\$&')}"`;
  return columns.map((column) => `${column}.ilike.${quoted}`).join(',');
}
