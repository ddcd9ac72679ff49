/** Writes a field of a CSV file (RFC 4180), quoted where it must be. What a spreadsheet takes for a formula becomes text. */
export function csvField(value: string): string {
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
