/** The pattern of LIKE and ILIKE for texts that contain this one, whatever characters it has. */
export function containsPattern(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`;
}
