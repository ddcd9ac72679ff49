/** The entries of a written list: trimmed, empty ones dropped. */
export function separate(text: string, separator: ',' | '\n'): string[] {
  return text
    .split(separator)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}
