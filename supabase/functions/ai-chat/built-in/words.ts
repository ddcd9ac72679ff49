/** Words, and how alike two of them are: by letters in common and by what it takes to type the one for the other. */

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
  readonly #words = new Set<string>();
  readonly #byLetters = new Map<string, string[]>();
  readonly #found = new Map<string, Likeness | null>();

  constructor(words: Iterable<string>) {
    for (const word of words) {
      if (this.#words.has(word)) continue;
      this.#words.add(word);
      if (word.length < SHORTEST) continue;
      for (const pair of new Set(letterPairs(word))) {
        const list = this.#byLetters.get(pair);
        if (list) list.push(word);
        else this.#byLetters.set(pair, [word]);
      }
    }
  }

  has(word: string): boolean {
    return this.#words.has(word);
  }

  /** The known word that is meant, or null. */
  find(typed: string): Likeness | null {
    if (this.#words.has(typed)) return { word: typed, likeness: 1 };
    if (typed.length < SHORTEST || typed.length > 30) return null;
    const known = this.#found.get(typed);
    if (known !== undefined) return known;
    // A stream of new words all day must not fill the memory.
    if (this.#found.size > 5000) this.#found.clear();
    const found = this.#closest(typed);
    this.#found.set(typed, found);
    return found;
  }

  #closest(typed: string): Likeness | null {
    const candidates = new Map<string, number>();
    for (const pair of new Set(letterPairs(typed))) {
      for (const word of this.#byLetters.get(pair) ?? []) candidates.set(word, (candidates.get(word) ?? 0) + 1);
    }
    let best: Likeness | null = null;
    for (const [word, shared] of candidates) {
      if (shared < 2 || Math.abs(word.length - typed.length) > 3) continue;
      const likeness = likenessOf(typed, word);
      if (likeness >= ALIKE && likeness > (best?.likeness ?? 0)) best = { word, likeness };
    }
    return best;
  }
}

/** From 0 to 1. */
export function likenessOf(a: string, b: string): number {
  if (a === b) return 1;
  const longest = Math.max(a.length, b.length);
  const errors = typingErrors(a, b);
  // The same letters in another order is how people mistype; another letter makes another word of a short one.
  const edits = isReordered(a, b) ? 0.9 : 1 - errors / longest;
  // Endings differ more often than beginnings: "cancelling" for "cancel".
  const beginning = sharedBeginning(a, b) / longest;
  return Math.max(edits, Math.min(a.length, b.length) >= 5 ? beginning + 0.1 : 0);
}

function isReordered(a: string, b: string): boolean {
  return a.length === b.length && [...a].sort().join('') === [...b].sort().join('');
}

function sharedBeginning(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  return length;
}

/** Letters left out, added, replaced, or swapped with their neighbour (optimal string alignment). */
function typingErrors(a: string, b: string): number {
  const replaced = Math.max(a.length, b.length) <= 5 ? 2 : 1;
  let before: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const line = [row];
    for (let column = 1; column <= b.length; column++) {
      const isSame = a[row - 1] === b[column - 1];
      let least = Math.min(
        (above[column] ?? 0) + 1,
        (line[column - 1] ?? 0) + 1,
        (above[column - 1] ?? 0) + (isSame ? 0 : replaced),
      );
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]) {
        least = Math.min(least, (before[column - 2] ?? 0) + 1);
      }
      line.push(least);
    }
    before = above;
    above = line;
  }
  return above[b.length] ?? 0;
}

function letterPairs(word: string): string[] {
  const padded = `^${word}$`;
  return Array.from({ length: padded.length - 1 }, (_, start) => padded.slice(start, start + 2));
}
