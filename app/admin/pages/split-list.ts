/** Splits a written list into its entries: trimmed, empty ones dropped. */
export function splitList(text: string, separator: ',' | '\n'): string[] {
  return text
    .split(separator)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}
