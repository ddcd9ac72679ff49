/** Average reading speed on a screen. */
const WORDS_PER_MINUTE = 230;

export interface TextLength {
  words: number;
  /** Reading time in minutes. At least one if there are words. */
  minutes: number;
}

/** Counts the visible words of a Markdown text, without markup and link URLs. */
export function countWords(markdown: string): TextLength {
  const visibleText = markdown.replace(/\]\([^\s)]*\)|https?:\/\/\S+/g, ' ');
  let words = 0;
  for (const _ of visibleText.matchAll(/[\p{L}\p{N}]+(?:[-'’.,][\p{L}\p{N}]+)*/gu)) words += 1;
  return { words, minutes: words === 0 ? 0 : Math.max(1, Math.round(words / WORDS_PER_MINUTE)) };
}
