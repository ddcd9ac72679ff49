export interface TextPart {
  text: string;
  isMarked: boolean;
}

/** Splits a text at the words to highlight, ignoring case. */
export function markedText(text: string, words: readonly string[]): TextPart[] {
  // Longest first, so that a word is not matched by its prefix.
  const longestFirst = [...new Set(words)].filter(Boolean).sort((first, second) => second.length - first.length);
  if (longestFirst.length === 0) return [{ text, isMarked: false }];
  const pattern = new RegExp(`(${longestFirst.map(escapeRegExp).join('|')})`, 'giu');
  return text
    .split(pattern)
    .map((part, index) => ({ text: part, isMarked: index % 2 === 1 }))
    .filter((part) => part.text !== '');
}

function escapeRegExp(word: string): string {
  return word.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
