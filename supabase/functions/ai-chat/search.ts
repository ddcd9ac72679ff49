/** Ranks the published content by how well it answers a question: BM25 over stems, and how far that can be trusted. */

import MiniSearch, { type SearchResult } from 'minisearch';
import { inEnglish } from './built-in/dictionary.ts';
import { meaningOf } from './built-in/glossary.ts';
import { fold, stemOf } from './built-in/words.ts';
import { certaintyOf, type Standing } from './certainty.ts';
import { type Language, languageOf, SMALL_WORDS } from './languages.ts';
import type { Published, SiteContent } from './site-content.ts';
import { stemIn } from './stems.ts';

/** Characters of a text that are indexed. */
const MAX_TEXT = 6000;

/** Something published, with the text that is indexed: of an article, one section. */
export type Passage = Published & { id: number; text: string };

export type Found = Passage &
  Standing & {
    /** True when it has a word that carries the question's subject, and not only how and what. */
    isAbout: boolean;
    /** True when it has every such word. */
    coversAll: boolean;
    /** True when one of those words is in its title. */
    isInTitle: boolean;
    /** The probability that it is the right one of all, from 0 to 1: see certainty.ts. */
    certainty: number;
  };

export interface SearchIndex {
  /** Returns what has words of a question in any of the assistant's languages, best first. */
  search(question: string): Found[];
}

/** Weight of a word that was found in another form: mistyped, or as the beginning of a longer one. */
const OTHER_FORM = 0.75;

/**
 * Weight of "how", "is" and "the" beside a word that is as rare and names a subject, gain of a word that stands twice, and
 * loss in a long text. The best of a grid on public questions: node bench/calibrate-assistant.ts.
 */
export const FITTED = { smallWord: 0.25, k: 4, b: 0.9 };

/** Builds the index over everything that visitors can read. */
export function createSearchIndex({ published }: Pick<SiteContent, 'published'>, fitted = FITTED): SearchIndex {
  const parts: Part[] = [];
  const index = new MiniSearch({
    fields: ['text'],
    tokenize: (text) => text.split(' '),
    processTerm: (term) => term || null,
    searchOptions: { bm25: { k: fitted.k, b: fitted.b, d: 0 }, combineWith: 'OR' },
  });
  const having = new Map<string, number>();
  const stems = new Stems();
  for (const [id, item] of published.entries()) {
    for (const [place, text] of partsOf(item).entries()) {
      const language = languageOf(text, 'en') ?? 'en';
      const title = stems.of(item.title, language);
      const terms = stems.of(text, language);
      for (const term of new Set([...title, ...terms])) having.set(term, (having.get(term) ?? 0) + 1);
      index.add({ id: parts.length, text: [...title, ...terms].join(' ') });
      parts.push({ item, id, place, language });
    }
  }
  const languages = [...stems.languages];
  stems.forget();
  const highest = Math.log(1 + 2 * (parts.length + 1)) ** 1.5;
  const rarity = (term: string) => Math.log(1 + (parts.length + 1) / ((having.get(term) ?? 0) + 0.5));
  return {
    search(question) {
      const asked = new Map<string, number>();
      const written = languageOf(question, 'en') ?? 'en';
      for (const word of wordsIn(question).slice(0, MAX_WORDS)) {
        const forms = [
          meaningOf(word),
          ...languages.map((language) => stemIn(language, word)),
          stemIn('en', inEnglish(word, written)),
        ];
        const term = forms.find((form) => form !== null && having.has(form)) ?? stemIn('en', word);
        asked.set(term, rarity(term) * (isSmallWord(word) ? fitted.smallWord : 1));
      }
      const all = [...asked.values()].reduce((sum, weight) => sum + weight, 0);
      const carrying = [...asked].filter(([term, weight]) => weight === rarity(term)).map(([term]) => term);
      const results = index.search([...asked.keys()].join(' '), {
        // A word that nothing has may be mistyped, or be the beginning of one.
        prefix: (term) => term.length > 3 && !having.has(term),
        fuzzy: (term) => (term.length > 4 && !having.has(term) ? 0.2 : false),
        boostTerm: (term) => Math.sqrt(asked.get(term) ?? 1),
      });
      const best = bestParts(results, parts);
      return best.map(({ result, part, said }, place) => {
        const has = (term: string) => said.has(term);
        const covered = [...said].reduce((sum, [term, likeness]) => sum + (asked.get(term) ?? 0) * likeness, 0);
        const coverage = all === 0 ? 0 : covered / all;
        const distance = result.score - (best[place === 0 ? 1 : 0]?.result.score ?? 0);
        const standing = { coverage, margin: distance / (asked.size * highest) };
        const inTitle = new Set(stems.of(part.item.title, part.language));
        return {
          ...passageOf(part),
          isAbout: carrying.some(has),
          coversAll: carrying.length > 0 && carrying.every(has),
          isInTitle: carrying.some((term) => termsFor(result, term).some((found) => inTitle.has(found))),
          certainty: certaintyOf(standing),
          ...standing,
        };
      });
    },
  };
}

/** A part of an item, without its text: of the few that are found it is read again. */
interface Part {
  item: Published;
  id: number;
  /** Its place among the parts of the item. */
  place: number;
  language: Language;
}

function passageOf({ item, id, place }: Part): Passage {
  return { ...item, id, text: partsOf(item)[place] ?? '' };
}

interface Ranked {
  result: SearchResult;
  part: Part;
  /** The words of the question that any part of the item has, with what each counts. */
  said: Map<string, number>;
}

/** Returns the best part of each item that was found, best first. */
function bestParts(results: SearchResult[], parts: readonly Part[]): Ranked[] {
  const best = new Map<number, Ranked>();
  for (const result of results.slice(0, MAX_RESULTS)) {
    const part = parts[result.id];
    if (!part) continue;
    const ranked = best.get(part.id) ?? { result, part, said: new Map() };
    best.set(part.id, ranked);
    for (const term of result.queryTerms) {
      const likeness = result.terms.includes(term) ? 1 : OTHER_FORM;
      ranked.said.set(term, Math.max(likeness, ranked.said.get(term) ?? 0));
    }
  }
  return [...best.values()];
}

/** The words of a text by which a word of the question found it: itself, or others that begin or are written like it. */
function termsFor({ match, terms, queryTerms }: SearchResult, asked: string): string[] {
  if (match[asked]) return [asked];
  return queryTerms.includes(asked) ? terms.filter((term) => !queryTerms.includes(term)) : [];
}

/** Results that anybody looks at. */
const MAX_RESULTS = 50;

/** Words of a question that are looked up. */
const MAX_WORDS = 40;

/** Longest word in characters; longer ones are none, and costly to compare. */
const MAX_WORD = 40;

function wordsIn(text: string): string[] {
  return fold(text)
    .split(/[^\p{L}\p{N}+#]+/u)
    .filter((word) => word !== '' && word.length <= MAX_WORD);
}

/** Remembers the stems of words while an index is built: texts say the same words again and again. */
class Stems {
  readonly languages = new Set<Language>();
  readonly #known = new Map<string, string>();

  of(text: string, language: Language): string[] {
    this.languages.add(language);
    return wordsIn(text).map((word) => {
      const key = `${language} ${word}`;
      const stem = this.#known.get(key) ?? meaningOf(word) ?? stemIn(language, word);
      this.#known.set(key, stem);
      return stem;
    });
  }

  forget(): void {
    this.#known.clear();
  }
}

/** The words of a question that carry its subject, in the form in which they are compared, each once. */
export function keywords(text: string): string[] {
  const terms = text.split(/[^\p{L}\p{N}+#]+/u).flatMap((word) => toTerm(word) ?? []);
  return [...new Set(terms)];
}

/**
 * The same words as beginnings of the words in the texts themselves, accents kept, for a search that knows no stems; with
 * the word that the content has for one of another language.
 */
export function beginningsOfKeywords(text: string): string[] {
  const beginnings = text.split(/[^\p{L}\p{N}+#]+/u).flatMap((word) => {
    const lower = word.toLowerCase();
    if (toTerm(word) === null) return [];
    const meaning = meaningOf(fold(lower)) ?? meaningOf(singular(fold(lower)));
    return [stemOf(lower), ...(meaning ? [meaning] : [])];
  });
  return [...new Set(beginnings)];
}

/** Plain text of Markdown, for quoting. Headings end a sentence, so that they do not run into the next. */
export function plainText(markdown: string): string {
  return (
    markdown
      .replace(/```[\s\S]*?```/g, ' ')
      // Videos, notes of callouts and tasks, and the marks of footnotes.
      .replace(/^[ \t]*<?(?:https?:\/)?\/\S+[ \t]*$/gm, ' ')
      .replace(/^[ \t>]*\[!\w+\][ \t]*$/gm, ' ')
      .replace(/^[ \t]*[-*+][ \t]+\[[ x]\][ \t]/gim, '')
      .replace(/\[\^[^\]\s]{1,100}\]:?/g, '')
      .replace(/!\[[^\]]*\]\([^)]*\)/g, ' ')
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .replace(/<[^>]*>/g, ' ')
      .replace(/^\s*\|.*$/gm, ' ')
      .replace(/^#{1,6}\s+(.*?)[.:]?\s*$/gm, '$1.')
      .replace(/^\s*(?:[-*+>]|\d+\.)\s+/gm, '')
      .replace(/[*_`~]/g, '')
      .replace(/\s+/g, ' ')
      .trim()
  );
}

/** Splits an article into its sections, and long ones by paragraphs: a text is found by what one part of it says. */
function partsOf({ kind, texts }: Published): string[] {
  if (kind !== 'posts') return [passageText(texts)];
  const sections = texts.flatMap((text) => text.slice(0, MAX_TEXT).split(/^(?=#{1,6} )/m));
  const [first = '', ...others] = sections.flatMap(paragraphsOf).filter(Boolean);
  return [first, ...others].map((part) => passageText([part]));
}

/** Characters of a part of an article, unless a paragraph by itself is longer. */
const MAX_PART = 1200;

function paragraphsOf(section: string): string[] {
  const parts: string[] = [];
  for (const paragraph of section.split(/\n\s*\n/)) {
    const last = parts.at(-1);
    if (last !== undefined && last.length + paragraph.length < MAX_PART)
      parts[parts.length - 1] = `${last}\n\n${paragraph}`;
    else parts.push(paragraph);
  }
  return parts;
}

/** Several texts as one, each ending as a sentence does. */
export function passageText(parts: readonly string[]): string {
  return parts
    .map(plainText)
    .filter(Boolean)
    .map((part) => (/[.!?…]$/.test(part) ? part : `${part}.`))
    .join(' ')
    .slice(0, MAX_TEXT);
}

/**
 * Lower case without accents and endings, and one word for one thing in whatever language; null for words that
 * say nothing about the subject.
 */
function toTerm(word: string): string | null {
  const lower = fold(word);
  if (lower.length < 2 || lower.length > MAX_WORD || isSmallWord(lower)) return null;
  const stem = singular(lower);
  return meaningOf(lower) ?? meaningOf(stem) ?? stemOf(stem);
}

/** Without the English plural. */
export function singular(word: string): string {
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  if (word.length > 3 && word.endsWith('s') && !word.endsWith('ss') && !word.endsWith('us')) return word.slice(0, -1);
  return word;
}

const FUNCTION_WORDS = new Set(Object.values(SMALL_WORDS).flatMap((words) => fold(words).split(' ')));

function isSmallWord(word: string): boolean {
  return FUNCTION_WORDS.has(word);
}
