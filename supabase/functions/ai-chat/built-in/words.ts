/** Words, and how alike two of them are: by what it takes to type the one for the other. */
import SearchableMap from 'minisearch/SearchableMap';

/** Lower case without accents: people type "gratis maned" for "måned". */
export function fold(text: string): string {
  return text
    .toLowerCase()
    .replace(/ß/g, 'ss')
    .replace(/æ/g, 'ae')
    .replace(/ø/g, 'o')
    .normalize('NFD')
    .replace(/\p{M}/gu, '');
}

/** The words of a text, folded. {names} in braces stay one word. */
export function wordsOf(text: string): string[] {
  return fold(text).match(/\{\w+\}|[\p{L}\p{N}+#]+/gu) ?? [];
}

/** Endings of words in the assistant's languages, longer ones first. */
const ENDING = /(?:ungen|erne|ingen|ene|ing|ung|ers|ede|est|ed|es|en|er|et|em|e|s|a|t)$/;

/** A word without its ending, alike for "price", "prices" and "pricing"; it need not be a word itself. */
export function stemOf(word: string): string {
  if (word.length < 4 || word.startsWith('{')) return word;
  const stem = word.replace(ENDING, '');
  return stem.length >= 3 ? stem.replace(/([^aeiouls])\1$/, '$1') : word;
}

/** Words that are less alike than this are different ones. */
const ALIKE = 0.72;
/** Shorter words must be the same: "call" is not "cell". */
const SHORTEST = 4;

export interface Likeness {
  word: string;
  /** 1 for the very word, less for one that was mistyped or has another ending. */
  likeness: number;
}

/** Known words, in which what somebody typed is looked up. */
export class Vocabulary {
  readonly #words = new SearchableMap<true>();
  readonly #found = new Map<string, Likeness | null>();

  constructor(words: Iterable<string>) {
    for (const word of words) this.#words.set(word, true);
  }

  /** The known word that is meant, or null. */
  find(typed: string): Likeness | null {
    if (this.#words.has(typed)) return { word: typed, likeness: 1 };
    if (typed.length < SHORTEST || typed.length > 30) return null;
    const known = this.#found.get(typed);
    if (known !== undefined) return known;
    // A stream of new words all day must not fill the memory.
    if (this.#found.size > 5000) this.#found.clear();
    let best: Likeness | null = null;
    for (const [word, [, errors]] of this.#words.fuzzyGet(typed, 2)) {
      const likeness = likenessOf(typed, word, errors);
      if (word.length >= SHORTEST && likeness >= ALIKE && likeness > (best?.likeness ?? 0)) best = { word, likeness };
    }
    this.#found.set(typed, best);
    return best;
  }
}

/** From 0 to 1. The same letters in another order is how people mistype; another letter makes another short word. */
function likenessOf(typed: string, word: string, errors: number): number {
  if (typed.length === word.length && lettersOf(typed) === lettersOf(word)) return 0.9;
  const isOther = typed.length === word.length && word.length <= 5;
  return 1 - (errors * (isOther ? 2 : 1)) / Math.max(typed.length, word.length);
}

function lettersOf(word: string): string {
  return [...word].sort().join('');
}
