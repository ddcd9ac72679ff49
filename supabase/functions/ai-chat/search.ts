/** Full-text search over the published content. */
import MiniSearch from 'minisearch';
import type { Published, SiteContent } from './site-content.ts';

/** Characters of a text that are indexed. */
const MAX_TEXT = 6000;

/** Something published, with the text that is indexed. */
export type Passage = Published & { id: number; text: string };

export type Found = Passage & {
  /** Whether it has every word that carries the question's subject. */
  coversAll: boolean;
  /** Whether one of those words is in its title. */
  isInTitle: boolean;
};

export interface SearchIndex {
  /** What answers the question, best first; passages that share too few of its words are left out. */
  search(question: string): Found[];
}

export function createSearchIndex({ published }: Pick<SiteContent, 'published'>): SearchIndex {
  const passages = published.map((item, id): Passage => ({ ...item, id, text: passageText(item.texts) }));
  const index = new MiniSearch({
    fields: ['title', 'text'],
    processTerm: toTerm,
    searchOptions: {
      boost: { title: 3 },
      prefix: (term) => term.length > 3,
      fuzzy: (term) => (term.length > 5 ? 0.2 : false),
      combineWith: 'OR',
      // Who asks about a subject is helped most by what is offered for it.
      boostDocument: (id) => (passages[Number(id)]?.kind === 'services' ? 1.8 : 1),
    },
  });
  index.addAll(passages);
  return {
    search(question) {
      const asked = keywords(question);
      if (asked.length === 0) return [];
      return index
        .search(asked.join(' '))
        .filter((found) => found.queryTerms.length * 2 >= asked.length)
        .flatMap((found) => {
          const passage = passages[found.id];
          if (!passage) return [];
          const isInTitle = Object.values(found.match).some((fields) => fields.includes('title'));
          return [{ ...passage, coversAll: found.queryTerms.length === asked.length, isInTitle }];
        });
    },
  };
}

/** The words of a question that carry its subject, in the form in which they are indexed, each once. */
export function keywords(text: string): string[] {
  const terms = text.split(/[^\p{L}\p{N}+#]+/u).flatMap((word) => toTerm(word) ?? []);
  return [...new Set(terms)];
}

/** Plain text of Markdown, for quoting. Headings end a sentence, so that they do not run into the next. */
export function plainText(markdown: string): string {
  return markdown
    .replace(/```[\s\S]*?```/g, ' ')
    .replace(/!\[[^\]]*\]\([^)]*\)/g, ' ')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/<[^>]*>/g, ' ')
    .replace(/^\s*\|.*$/gm, ' ')
    .replace(/^#{1,6}\s+(.*?)[.:]?\s*$/gm, '$1.')
    .replace(/^\s*(?:[-*+>]|\d+\.)\s+/gm, '')
    .replace(/[*_`~]/g, '')
    .replace(/\s+/g, ' ')
    .trim();
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

/** Lower case, without the English plural; null for words that say nothing about the subject. */
function toTerm(word: string): string | null {
  const lower = word.toLowerCase();
  if (lower.length < 2 || STOP_WORDS.has(lower)) return null;
  if (lower.length > 4 && lower.endsWith('ies')) return `${lower.slice(0, -3)}y`;
  if (lower.length > 3 && lower.endsWith('s') && !lower.endsWith('ss') && !lower.endsWith('us'))
    return lower.slice(0, -1);
  return lower;
}

/** Besides the usual ones, the words of questions that topics answer (prices, durations), which name no subject. */
const STOP_WORDS = new Set(
  `a about after all also am an and any are around as ask at be been being but by can cannot could did do does doing done
  for from get give go got had has have having he her here hi his how i if in into is it its itself just know let like
  ll looking made make many may me might more most much my need no not of off on one only or other our out over own
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
