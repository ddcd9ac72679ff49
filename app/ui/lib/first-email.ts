const EMAIL = /[^\s<>",;:()[\]@\\]+@[^\s<>",;:()[\]@\\]+\.[^\s<>",;:()[\]@\\.?!]{2,}/;

/** Returns the first email address in a text, or ''. */
export function findFirstEmail(text: string): string {
  return EMAIL.exec(text)?.[0] ?? '';
}
