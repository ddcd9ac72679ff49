/** Average reading speed on a screen. */
const WORDS_PER_MINUTE = 220;

/** Counts the visible words of a Markdown text, without markup and link URLs. The reading time is at least a minute. */
export function countWords(markdown: string): { words: number; minutes: number } {
  const visible = markdown.replace(/\]\([^\s)]*\)|https?:\/\/\S+/g, ' ');
  const words = visible.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
  return { words, minutes: Math.max(1, Math.round(words / WORDS_PER_MINUTE)) };
}
