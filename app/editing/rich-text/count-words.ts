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
    const paragraphs = markdown.split('\n\n');
    counts = new Map(paragraphs.map((paragraph) => [paragraph, counts.get(paragraph) ?? countWords(paragraph)]));
    let words = 0;
    for (const paragraph of paragraphs) words += counts.get(paragraph) ?? 0;
    return { words, minutes: words === 0 ? 0 : Math.max(1, Math.round(words / WORDS_PER_MINUTE)) };
  };
}

function countWords(text: string): number {
  const visible = text.replace(/\]\([^\s)]*\)|https?:\/\/\S+/g, ' ');
  return [...visible.matchAll(/[\p{L}\p{N}]+(?:[-'’.,][\p{L}\p{N}]+)*/gu)].length;
}
