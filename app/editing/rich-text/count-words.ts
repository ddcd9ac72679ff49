/** Average reading speed on a screen. */
const WORDS_PER_MINUTE = 230;

export interface TextLength {
  words: number;
  /** Reading time in minutes. At least one if there are words. */
  minutes: number;
}

/**
 * Creates a function that counts the visible words of a Markdown text, without markup and link URLs. It remembers the
 * counts of the last text's paragraphs, because counting 100,000 characters takes longer than all other work of a key.
 */
export function createWordCounter(): (markdown: string) => TextLength {
  let counts = new Map<string, number>();
  return (markdown) => {
    const newCounts = new Map<string, number>();
    let words = 0;
    for (const paragraph of markdown.split('\n\n')) {
      const count = counts.get(paragraph) ?? countWords(paragraph);
      newCounts.set(paragraph, count);
      words += count;
    }
    counts = newCounts;
    return { words, minutes: words === 0 ? 0 : Math.max(1, Math.round(words / WORDS_PER_MINUTE)) };
  };
}

function countWords(text: string): number {
  const visible = text.replace(/\]\([^\s)]*\)|https?:\/\/\S+/g, ' ');
  return [...visible.matchAll(/[\p{L}\p{N}]+(?:[-'’.,][\p{L}\p{N}]+)*/gu)].length;
}
