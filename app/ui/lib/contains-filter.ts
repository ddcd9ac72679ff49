/** LIKE pattern for texts that contain this one, with special characters escaped. */
export function containsPattern(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`;
}

/** Filter for `or()`: any column contains the text, with special characters escaped. */
export function containsFilter(columns: readonly string[], text: string): string {
  const quotedPattern = `"${containsPattern(text).replace(/[\\"]/g, '\\$&')}"`;
  return columns.map((column) => `${column}.ilike.${quotedPattern}`).join(',');
}
