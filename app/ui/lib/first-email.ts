const EMAIL = /[^\s<>",;:()[\]@\\]+@[^\s<>",;:()[\]@\\]+\.[^\s<>",;:()[\]@\\.?!]{2,}/;

/** Returns the first e-mail address in a text that somebody wrote, or ''. */
export function firstEmailIn(text: string): string {
  return EMAIL.exec(text)?.[0] ?? '';
}
