/** Ranks published content by relevance to a question: BM25 over word stems, with an estimate of certainty. */

import MiniSearch, { type SearchResult } from 'minisearch';
import { translateToEnglish } from './built-in/dictionary.ts';
import { contentWordOf } from './built-in/glossary.ts';
import { fold, stemOf } from './built-in/words.ts';
import { certaintyOf, type SearchFeatures } from './certainty.ts';
import { type Language, languageOf, SMALL_WORDS } from './languages.ts';
import type { Published, SiteContent } from './site-content.ts';
import { stemIn } from './stems.ts';

/** Maximum indexed characters of a text. */
const MAX_TEXT = 6000;

/** Published item with its indexed text. For an article: one section. */
export type Passage = Published & { id: number; text: string };

export type SearchMatch = Passage &
  SearchFeatures & {
    /** True if it contains a subject word, not only frequent words such as "how". */
    isAbout: boolean;
    /** True if it contains all subject words. */
    coversAll: boolean;
    /** True if its title contains a subject word. */
    isInTitle: boolean;
    /** Probability that this is the right result, from 0 to 1. See certainty.ts. */
    certainty: number;
  };

export interface SearchIndex {
  /** Returns texts with words of a question in any supported language, best first. */
  search(question: string): SearchMatch[];
}

/** Weight of a match in another form: with a typo, or as a prefix. */
const OTHER_FORM_WEIGHT = 0.75;

/**
 * Weight of frequent words such as "how" relative to an equally rare subject word, and the BM25 parameters for repeated
 * words and text length. Chosen by grid search on public questions (bench/calibrate-assistant.ts).
 */
export const FITTED_PARAMETERS = { smallWord: 0.25, k: 4, b: 0.9 };

/** Builds the index of all content that visitors can read. */
export function createSearchIndex(
  { published }: Pick<SiteContent, 'published'>,
  parameters = FITTED_PARAMETERS,
): SearchIndex {
  const parts: Part[] = [];
  const index = new MiniSearch({
    fields: ['text'],
    tokenize: (text) => text.split(' '),
    processTerm: (term) => term || null,
    searchOptions: { bm25: { k: parameters.k, b: parameters.b, d: 0 }, combineWith: 'OR' },
  });
  const documentCounts = new Map<string, number>();
  const stems = new Stems();
  for (const [id, item] of published.entries()) {
    for (const [position, text] of partsOf(item).entries()) {
      const language = languageOf(text, 'en') ?? 'en';
      const title = stems.of(item.title, language);
      const terms = stems.of(text, language);
      for (const term of new Set([...title, ...terms])) documentCounts.set(term, (documentCounts.get(term) ?? 0) + 1);
      index.add({ id: parts.length, text: [...title, ...terms].join(' ') });
      parts.push({ item, id, position, language });
    }
  }
  const languages = [...stems.languages];
  stems.clear();
  const maxScore = Math.log(1 + 2 * (parts.length + 1)) ** 1.5;
  const rarity = (term: string) => Math.log(1 + (parts.length + 1) / ((documentCounts.get(term) ?? 0) + 0.5));
  return {
    search(question) {
      const weights = new Map<string, number>();
      const language = languageOf(question, 'en') ?? 'en';
      for (const word of wordsIn(question).slice(0, MAX_WORDS)) {
        const forms = [
          contentWordOf(word),
          ...languages.map((indexed) => stemIn(indexed, word)),
          stemIn('en', translateToEnglish(word, language)),
        ];
        const term = forms.find((form) => form !== null && documentCounts.has(form)) ?? stemIn('en', word);
        weights.set(term, rarity(term) * (isSmallWord(word) ? parameters.smallWord : 1));
      }
      const total = [...weights.values()].reduce((sum, weight) => sum + weight, 0);
      const subjectTerms = [...weights].filter(([term, weight]) => weight === rarity(term)).map(([term]) => term);
      const results = index.search([...weights.keys()].join(' '), {
        // If no text contains the word, it may have a typo or be a prefix.
        prefix: (term) => term.length > 3 && !documentCounts.has(term),
        fuzzy: (term) => (term.length > 4 && !documentCounts.has(term) ? 0.2 : false),
        boostTerm: (term) => Math.sqrt(weights.get(term) ?? 1),
      });
      const bestResults = bestParts(results, parts);
      return bestResults.map(({ result, part, matched }, position) => {
        const isMatched = (term: string) => matched.has(term);
        const coveredWeight = [...matched].reduce(
          (sum, [term, similarity]) => sum + (weights.get(term) ?? 0) * similarity,
          0,
        );
        const coverage = total === 0 ? 0 : coveredWeight / total;
        const distance = result.score - (bestResults[position === 0 ? 1 : 0]?.result.score ?? 0);
        const features = { coverage, margin: distance / (weights.size * maxScore) };
        const titleTerms = new Set(stems.of(part.item.title, part.language));
        return {
          ...passageOf(part),
          isAbout: subjectTerms.some(isMatched),
          coversAll: subjectTerms.length > 0 && subjectTerms.every(isMatched),
          isInTitle: subjectTerms.some((term) => termsFor(result, term).some((word) => titleTerms.has(word))),
          certainty: certaintyOf(features),
          ...features,
        };
      });
    },
  };
}

/** Part of an item. The index does not store the text of the part. The text is read again for the few results. */
interface Part {
  item: Published;
  id: number;
  /** Index among the parts of the item. */
  position: number;
  language: Language;
}

function passageOf({ item, id, position }: Part): Passage {
  return { ...item, id, text: partsOf(item)[position] ?? '' };
}

interface RankedResult {
  result: SearchResult;
  part: Part;
  /** Words of the question that any part of the item contains, with their weights. */
  matched: Map<string, number>;
}

/** Returns the best part of each matching item, best first. */
function bestParts(results: SearchResult[], parts: readonly Part[]): RankedResult[] {
  const bestResults = new Map<number, RankedResult>();
  for (const result of results.slice(0, MAX_RESULTS)) {
    const part = parts[result.id];
    if (!part) continue;
    const ranked = bestResults.get(part.id) ?? { result, part, matched: new Map() };
    bestResults.set(part.id, ranked);
    for (const term of result.queryTerms) {
      const similarity = result.terms.includes(term) ? 1 : OTHER_FORM_WEIGHT;
      ranked.matched.set(term, Math.max(similarity, ranked.matched.get(term) ?? 0));
    }
  }
  return [...bestResults.values()];
}

/**
 * Returns the words of a text that match a word of the question: the word itself, or words with its prefix or similar
 * spelling.
 */
function termsFor({ match, terms, queryTerms }: SearchResult, term: string): string[] {
  if (match[term]) return [term];
  return queryTerms.includes(term) ? terms.filter((word) => !queryTerms.includes(word)) : [];
}

/** Maximum results. */
const MAX_RESULTS = 50;

/** Maximum words of a question to look up. */
const MAX_WORDS = 40;

/** Maximum characters of a word. Longer words are slow to compare and are rarely real words. */
const MAX_WORD = 40;

function wordsIn(text: string): string[] {
  return fold(text)
    .split(/[^\p{L}\p{N}+#]+/u)
    .filter((word) => word !== '' && word.length <= MAX_WORD);
}

/** Cache of word stems while an index is built, because texts repeat words. */
class Stems {
  readonly languages = new Set<Language>();
  readonly #stems = new Map<string, string>();

  of(text: string, language: Language): string[] {
    this.languages.add(language);
    return wordsIn(text).map((word) => {
      const key = `${language} ${word}`;
      const stem = this.#stems.get(key) ?? contentWordOf(word) ?? stemIn(language, word);
      this.#stems.set(key, stem);
      return stem;
    });
  }

  clear(): void {
    this.#stems.clear();
  }
}

/** Returns the distinct subject words of a question in the compared form. */
export function keywords(text: string): string[] {
  const terms = text.split(/[^\p{L}\p{N}+#]+/u).flatMap((word) => toTerm(word) ?? []);
  return [...new Set(terms)];
}

/**
 * Returns the subject words as prefixes of words in the texts, with accents, for a search without stemming. Includes
 * the English word of the content for words in other languages.
 */
export function beginningsOfKeywords(text: string): string[] {
  const beginnings = text.split(/[^\p{L}\p{N}+#]+/u).flatMap((word) => {
    const lower = word.toLowerCase();
    if (toTerm(word) === null) return [];
    const contentWord = contentWordOf(fold(lower)) ?? contentWordOf(singular(fold(lower)));
    return [stemOf(lower), ...(contentWord ? [contentWord] : [])];
  });
  return [...new Set(beginnings)];
}

/** Converts Markdown to plain text for quotes. Headings end with a full stop. */
export function plainText(markdown: string): string {
  return (
    markdown
      .replace(/```[\s\S]*?```/g, ' ')
      // Removes videos, and markers of callouts, tasks and footnotes.
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

/**
 * Splits an article into sections, and a long section into paragraphs. So a question can match one part of an article.
 */
function partsOf({ kind, texts }: Published): string[] {
  if (kind !== 'posts') return [passageText(texts)];
  const sections = texts.flatMap((text) => text.slice(0, MAX_TEXT).split(/^(?=#{1,6} )/m));
  const [firstParagraph = '', ...otherParagraphs] = sections.flatMap(paragraphsOf).filter(Boolean);
  return [firstParagraph, ...otherParagraphs].map((part) => passageText([part]));
}

/** Maximum characters of a part, unless a single paragraph is longer. */
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

/** Joins texts so that each ends like a sentence. */
export function passageText(parts: readonly string[]): string {
  return parts
    .map(plainText)
    .filter(Boolean)
    .map((part) => (/[.!?…]$/.test(part) ? part : `${part}.`))
    .join(' ')
    .slice(0, MAX_TEXT);
}

/**
 * Normalises a word: lower case, no accents, stemmed, and translated to the English word of the content. Returns null
 * for words that name no subject.
 */
function toTerm(word: string): string | null {
  const lower = fold(word);
  if (lower.length < 2 || lower.length > MAX_WORD || isSmallWord(lower)) return null;
  const stem = singular(lower);
  return contentWordOf(lower) ?? contentWordOf(stem) ?? stemOf(stem);
}

/** Removes the English plural ending. */
export function singular(word: string): string {
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  if (word.length > 3 && word.endsWith('s') && !word.endsWith('ss') && !word.endsWith('us')) return word.slice(0, -1);
  return word;
}

const FUNCTION_WORDS = new Set(Object.values(SMALL_WORDS).flatMap((words) => fold(words).split(' ')));

function isSmallWord(word: string): boolean {
  return FUNCTION_WORDS.has(word);
}
