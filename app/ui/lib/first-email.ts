const EMAIL = /[^\s<>",;:()[\]@\\]+@[^\s<>",;:()[\]@\\]+\.[^\s<>",;:()[\]@\\.?!]{2,}/;

/** Returns the first email address in a text, or ''. */
export function firstEmailIn(text: string): string {
  return EMAIL.exec(text)?.[0] ?? '';
}
