/** Returns a LIKE pattern for texts that contain `text`. Escapes special characters. */
export function containsPattern(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`;
}

/** Returns a filter for `or()` that matches if any column contains the text. Escapes special characters. */
export function containsFilter(columns: readonly string[], text: string): string {
  const quotedPattern = `"${containsPattern(text).replace(/[\\"]/g, '\\$&')}"`;
  return columns.map((column) => `${column}.ilike.${quotedPattern}`).join(',');
}
