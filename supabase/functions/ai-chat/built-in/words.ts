/** Word comparison with tolerance for typos and endings. */
import SearchableMap from 'minisearch/SearchableMap';

/** Returns lower case without accents, because people type "maned" for "måned". */
export function fold(text: string): string {
  return text
    .toLowerCase()
    .replace(/ß/g, 'ss')
    .replace(/æ/g, 'ae')
    .replace(/ø/g, 'o')
    .normalize('NFD')
    .replace(/\p{M}/gu, '');
}

/** Returns the folded words of a text. {placeholders} remain one word. */
export function wordsOf(text: string): string[] {
  return fold(text).match(/\{\w+\}|[\p{L}\p{N}+#]+/gu) ?? [];
}

/** Word endings in the supported languages, longer ones first. */
const ENDING = /(?:ungen|erne|ingen|ene|ing|ung|ers|ede|est|ed|es|en|er|et|em|e|s|a|t)$/;

/** Removes the ending of a word. The result is the same for "price", "prices" and "pricing", and need not be a word. */
export function stemOf(word: string): string {
  if (word.length < 4 || word.startsWith('{')) return word;
  const stem = word.replace(ENDING, '');
  return stem.length >= 3 ? stem.replace(/([^aeiouls])\1$/, '$1') : word;
}

/** Minimum similarity of two words. */
const MIN_SIMILARITY = 0.72;
/** Shorter words must be identical: "call" is not "cell". */
const MIN_TYPO_LENGTH = 4;

export interface WordMatch {
  word: string;
  /** 1 for an identical word, less with a typo or another ending. */
  similarity: number;
}

/** Known words, for looking up typed words. */
export class Vocabulary {
  readonly #words = new SearchableMap<true>();
  readonly #cache = new Map<string, WordMatch | null>();

  constructor(words: Iterable<string>) {
    for (const word of words) this.#words.set(word, true);
  }

  /** Returns the closest known word, or null. */
  find(typedWord: string): WordMatch | null {
    if (this.#words.has(typedWord)) return { word: typedWord, similarity: 1 };
    if (typedWord.length < MIN_TYPO_LENGTH || typedWord.length > 30) return null;
    const cached = this.#cache.get(typedWord);
    if (cached !== undefined) return cached;
    // Limits the memory used by new words.
    if (this.#cache.size > 5000) this.#cache.clear();
    let closest: WordMatch | null = null;
    for (const [word, [, errors]] of this.#words.fuzzyGet(typedWord, 2)) {
      const similarity = similarityOf(typedWord, word, errors);
      if (word.length >= MIN_TYPO_LENGTH && similarity >= MIN_SIMILARITY && similarity > (closest?.similarity ?? 0))
        closest = { word, similarity };
    }
    this.#cache.set(typedWord, closest);
    return closest;
  }
}

/**
 * Returns a similarity from 0 to 1. Swapped letters are a common typo. In a short word, a different letter makes another
 * word.
 */
function similarityOf(typedWord: string, word: string, errors: number): number {
  if (typedWord.length === word.length && sortedLetters(typedWord) === sortedLetters(word)) return 0.9;
  const isOtherWord = typedWord.length === word.length && word.length <= 5;
  return 1 - (errors * (isOtherWord ? 2 : 1)) / Math.max(typedWord.length, word.length);
}

function sortedLetters(word: string): string {
  return [...word].sort().join('');
}
