/** Full-text search over the published content. */
import MiniSearch, { type SearchResult } from 'minisearch';
import { meaningOf } from './built-in/glossary.ts';
import { fold, stemOf } from './built-in/words.ts';
import { SMALL_WORDS } from './languages.ts';
import type { Published, SiteContent } from './site-content.ts';

/** Characters of a text that are indexed. */
const MAX_TEXT = 6000;

/** Something published, with the text that is indexed. */
export type Passage = Published & { id: number; text: string };

export type Found = Passage & {
  /** True when it has every word that carries the question's subject. */
  coversAll: boolean;
  /** True when one of those words is in its title. */
  isInTitle: boolean;
  /** The share of what the question's words say that it has, from 0 to 1; rare words say more than common ones. */
  coverage: number;
};

export interface SearchIndex {
  /**
   * Finds what answers a question in any of the assistant's languages, best first; passages that share too few of its
   * words are left out. A millisecond among 100 passages, a few among 10,000.
   */
  search(question: string): Found[];
}

/** Weight of a word that was found in another form: mistyped, or as the beginning of a longer one. */
const OTHER_FORM = 0.75;

/** Builds the index over everything that has a page. */
export function createSearchIndex({ published }: Pick<SiteContent, 'published'>): SearchIndex {
  const passages = published.map((item, id): Passage => ({ ...item, id, text: passageText(item.texts) }));
  const known = new Map<string, string | null>();
  const index = new MiniSearch({
    fields: ['title', 'text'],
    // Texts say the same words again and again.
    processTerm(word) {
      const term = known.get(word);
      if (term !== undefined) return term;
      const made = toTerm(word);
      known.set(word, made);
      return made;
    },
    searchOptions: {
      boost: { title: 3 },
      prefix: (term) => term.length > 3,
      fuzzy: (term) => (term.length > 5 ? 0.2 : false),
      combineWith: 'OR',
      // Visitors who ask about a subject are helped most by what is offered for it.
      boostDocument: (id) => (passages[Number(id)]?.kind === 'services' ? 1.8 : 1),
    },
  });
  index.addAll(passages);
  known.clear();
  return {
    search(question) {
      const asked = keywords(question).slice(0, MAX_KEYWORDS);
      if (asked.length === 0) return [];
      const results = index.search(asked.join(' '), { processTerm: (term) => term });
      const weights = weighTerms(asked, results, passages.length);
      const all = asked.reduce((sum, term) => sum + (weights.get(term) ?? 0), 0);
      return results.flatMap((result) => {
        const passage = passages[result.id];
        if (!passage || result.queryTerms.length * 2 < asked.length) return [];
        const covered = result.queryTerms.reduce(
          (sum, term) => sum + (weights.get(term) ?? 0) * (result.terms.includes(term) ? 1 : OTHER_FORM),
          0,
        );
        const isInTitle = Object.values(result.match).some((fields) => fields.includes('title'));
        return [
          { ...passage, coversAll: result.queryTerms.length === asked.length, isInTitle, coverage: covered / all },
        ];
      });
    },
  };
}

/** Longest word in characters; longer ones are none, and costly to compare. */
const MAX_WORD = 40;

/** Words of a question that are looked up. */
const MAX_KEYWORDS = 24;

/** A word that few passages have says more. */
function weighTerms(asked: string[], results: SearchResult[], passages: number): Map<string, number> {
  const having = new Map<string, number>();
  for (const { queryTerms } of results) for (const term of queryTerms) having.set(term, (having.get(term) ?? 0) + 1);
  return new Map(asked.map((term) => [term, Math.log(1 + (passages + 1) / ((having.get(term) ?? 0) + 0.5))]));
}

/** The words of a question that carry its subject, in the form in which they are indexed, each once. */
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

/** Several texts as one, each ending as a sentence does. */
function passageText(parts: readonly string[]): string {
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
  if (lower.length < 2 || lower.length > MAX_WORD || STOP_WORDS.has(lower)) return null;
  const stem = singular(lower);
  return meaningOf(lower) ?? meaningOf(stem) ?? stemOf(stem);
}

/** Without the English plural. */
export function singular(word: string): string {
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  if (word.length > 3 && word.endsWith('s') && !word.endsWith('ss') && !word.endsWith('us')) return word.slice(0, -1);
  return word;
}

/** Besides the usual ones, the words of questions that topics answer (prices, durations), which name no subject. */
const STOP_WORDS = new Set(
  `${Object.values(SMALL_WORDS).map(fold).join(' ')} a about after all also am an and any are around as ask at be been being but by can cannot could did do does doing done
  for from get give go got had has have having he her here hi his how i if in into is it its itself just know let like
  ll looking made make many may me might more most much my need no not of off on one only or other our out over per each every between difference mean means meaning good best better way ways tip tips new thing
  customer customers kunde kunder kunden before during without within again still yet ever never always
  one two three four five six seven eight nine ten
  please re really s same say she should so some something such sure t take tell than thank thanks that the their them
  then there these they thing things this those to too up us use ve very want was we well were what when where which
  while who whom why will with would yes you your yours
  service services project projects past client clients article articles blog post posts news team
  ask cost costs cheap expensive fee fees price prices priced pricing quote rate rates budget pay charge charges
  long time timeline timelines week weeks month months day days duration fast quickly
  explain describe information info details detail learn read show example examples work works help offer offers company`
    .split(/\s+/)
    .filter(Boolean),
);
