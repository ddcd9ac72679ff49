export interface TextPart {
  text: string;
  isMarked: boolean;
}

/** Cuts a text at the words that are to be marked in it, in any case. */
export function markedText(text: string, words: readonly string[]): TextPart[] {
  // The longest first, so that a word is marked to its end.
  const longestFirst = [...new Set(words)].filter(Boolean).sort((first, second) => second.length - first.length);
  if (longestFirst.length === 0) return [{ text, isMarked: false }];
  const pattern = new RegExp(`(${longestFirst.map(escaped).join('|')})`, 'giu');
  return text
    .split(pattern)
    .map((part, index) => ({ text: part, isMarked: index % 2 === 1 }))
    .filter((part) => part.text !== '');
}

function escaped(word: string): string {
  return word.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
