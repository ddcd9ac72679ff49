/**
 * Retrieves the site content for a language model: the basic facts, and the published texts that match the question.
 * The size of the prompt is bounded for any amount of content. The guard checks a reply against exactly these texts.
 */
import { findEntry } from './built-in/find-entry.ts';
import { LIMITS } from './built-in/limits.ts';
import { recognise } from './built-in/recognise.ts';
import type { ChatMessage } from './chat-message.ts';
import { addressOf } from './contact-facts.ts';
import { languageOf } from './languages.ts';
import { keywords, type Passage, passageText, plainText, type SearchIndex, type SearchMatch } from './search.ts';
import type { Published, Review, SiteContent } from './site-content.ts';
import type { Source } from './sources.ts';
import { sentencesOf } from './wording.ts';

/** Maximum characters. Four characters are about one token, so the prompt has at most 5,000 tokens of site content. */
const MAX_BASICS = 7_000;
const MAX_PASSAGES = 10_000;
const MAX_PASSAGE = 1_800;
const MAX_SUMMARY = 240;
/** Number of earlier visitor messages that may name the subject. */
const EARLIER_MESSAGES = 3;

/** A text that the model may take facts from, and the page that shows it. */
export interface Excerpt extends Source {
  /** A line of the prompt: one JSON object. */
  line: string;
  /** The same content without JSON syntax. */
  text: string;
}

export interface RetrievedContent {
  /** Facts about the company: name, contact, services and prices. */
  basics: Excerpt[];
  /** Texts that match the question, best first. */
  passages: Excerpt[];
  /** True if a text matches, or if the basics answer a question without a subject of its own. */
  hasMatch: boolean;
}

/** @param archive matching posts that are not in the index, see archive.ts */
export function retrieve(
  content: SiteContent,
  index: SearchIndex,
  conversation: readonly ChatMessage[],
  archive: readonly Published[] = [],
): RetrievedContent {
  const questions = conversation.filter(({ role }) => role === 'user').map((message) => message.content);
  const question = questions.at(-1) ?? '';
  const search = (text: string) => limitSections(index.search(text).filter(({ isAbout }) => isAbout));
  const searches = [question, ...questions.slice(-1 - EARLIER_MESSAGES, -1).reverse()].map(search);
  const archivedPassages = archive.map(
    (post, position): Passage => ({ ...post, id: -1 - position, text: passageText(post.texts) }),
  );
  const passages = uniquePassages(searches, archivedPassages, searchEachWord(index, question));
  const words = keywords(questions.slice(-1 - EARLIER_MESSAGES).join(' '));
  const isAboutBasics =
    keywords(question).length === 0 || SMALL_TALK.test(question) || asksForBasics(question, content);
  return {
    basics: withinLength(describeBasics(content), MAX_BASICS, ({ line }) => line),
    passages: withinLength(
      [
        ...answersTo(question, content),
        ...reviewsFor(question, content),
        ...passages.map((passage) => toExcerpt(passage, words, content.settings.get('site_time_zone'))),
      ],
      MAX_PASSAGES,
      ({ line }) => line,
    ),
    hasMatch:
      isAboutBasics ||
      archivedPassages.some((post) => isRelevant(question, post)) ||
      search(question).length > 0 ||
      answersTo(question, content).length > 0 ||
      reviewsFor(question, content).length > 0,
  };
}

/** Maximum page sections before other texts. Sections are short and numerous, so more of them would displace articles. */
const MAX_SECTIONS = 2;

function limitSections(matches: readonly SearchMatch[]): SearchMatch[] {
  const excessSections = new Set(matches.filter(({ kind }) => kind === 'other').slice(MAX_SECTIONS));
  return [...matches.filter((passage) => !excessSections.has(passage)), ...excessSections];
}

/** Messages that need no published text. */
const SMALL_TALK =
  /^\W*(?:hi|hello|hey|hei|hej|hallo|guten tag|god (?:dag|morgen)|good (?:morning|afternoon|evening|day)|thanks?|thank you|takk|tack|tak|danke|ok(?:ay)?|bye|goodbye|great|cool|nice)\b.{0,30}$/iu;

/** Returns true if the basic facts answer a question, such as one about prices, timelines or contact details. */
function asksForBasics(question: string, { languages }: SiteContent): boolean {
  const [bestMatch] = recognise(question, languageOf(question, languages[0] ?? 'en') ?? 'en');
  return bestMatch !== undefined && bestMatch.similarity >= LIMITS.certain && BASIC_INTENTS.has(bestMatch.intent);
}

const BASIC_INTENTS: ReadonlySet<string> = new Set([
  'price',
  'timeline',
  'services',
  'team',
  'contact',
  'phone',
  'booking',
  'person',
]);

/**
 * Finds texts with any word of the question, sorted by number of matching words. This finds names in questions in other
 * languages.
 */
function searchEachWord(index: SearchIndex, question: string): SearchMatch[] {
  const counts = new Map<number, { match: SearchMatch; words: number }>();
  for (const word of keywords(question).slice(0, MAX_WORDS)) {
    for (const match of index.search(word).slice(0, 10)) {
      const words = (counts.get(match.id)?.words ?? 0) + 1;
      counts.set(match.id, { match: match, words });
    }
  }
  return [...counts.values()].sort((a, b) => b.words - a.words).map(({ match }) => match);
}

const MAX_WORDS = 12;

/**
 * Orders passages: matches for the last message first, then for earlier messages. The best archived posts are merged
 * in.
 */
function uniquePassages(searches: SearchMatch[][], archive: Passage[], byWord: SearchMatch[]): Passage[] {
  const [lastMatches = [], ...earlierMatches] = searches;
  const seenIds = new Set<number>();
  return [
    ...lastMatches.slice(0, 3),
    ...archive.slice(0, 3),
    ...lastMatches.slice(3, 8),
    // Earlier messages may name the subject, so include their best matches.
    ...earlierMatches.flatMap((match) => match.slice(0, 2)),
    ...byWord.slice(0, 2),
  ].filter(({ id }) => !seenIds.has(id) && seenIds.add(id));
}

/** Returns true if a text contains at least half of the subject words of a question. */
function isRelevant(question: string, { text, title }: Passage): boolean {
  const subjects = keywords(question);
  const passageWords = new Set(keywords(`${title} ${text}`));
  return subjects.filter((word) => passageWords.has(word)).length * 2 >= subjects.length;
}

function describeBasics(content: SiteContent): Excerpt[] {
  const facts = [...content.settings].filter(([key, value]) => BASIC_SETTINGS.test(key) && value.trim() !== '');
  const address = addressOf(content);
  return [
    excerpt('Contact', '/contact', Object.fromEntries(facts)),
    ...(address ? [excerpt('Contact', '/contact', { address })] : []),
    excerpt('Book a meeting', '/#booking', {
      call: 'A call takes 30 minutes. A time is chosen in the booking section.',
    }),
    // Lets the model state the number of services.
    ...(content.services.length > 0
      ? [excerpt('Services', '/services', { offer: `${content.services.length} services` })]
      : []),
    ...content.services.map((service) =>
      excerpt(service.title, '/services', {
        service: service.title,
        summary: beginning(plainText(service.short_description || service.long_description), MAX_SUMMARY),
        timeline: service.timeline || 'not published',
        pricing: service.pricing || 'not published',
      }),
    ),
    ...content.team.map(({ name, position }) => excerpt(name, '/about', { person: name, position })),
  ];
}

const BASIC_SETTINGS = /^(?:site_(?:name|tagline|description)|contact_(?:email|phone|address))$/;

function reviewsFor(question: string, { reviews }: SiteContent): Excerpt[] {
  if (!/\b(?:reviews?|testimonials?|references?|clients? say|customers? say|happy)\b/i.test(question)) return [];
  return reviews.slice(0, 4).map(reviewExcerpt);
}

function reviewExcerpt({ author_name, author_role, company, quote }: Review): Excerpt {
  return excerpt('Reviews', '/#testimonials', { review: quote, by: author_name, role: author_role, company });
}

/** Returns the editors' answer to the question, if there is one. */
function answersTo(question: string, { faq }: SiteContent): Excerpt[] {
  const entry = findEntry(faq, question);
  const url = '/contact#questions';
  return entry ? [excerpt(entry.question, url, { question: entry.question, url, answer: entry.answer })] : [];
}

function toExcerpt(passage: Passage, words: readonly string[], timeZone: string | undefined): Excerpt {
  const { title, url } = passage;
  const text = bestPart(passageText(passage.texts), words, MAX_PASSAGE);
  switch (passage.kind) {
    case 'services': {
      const { timeline, pricing } = passage.item;
      return excerpt(title, url, { service: title, url, timeline, pricing, text });
    }
    case 'projects': {
      const { company, metric } = passage.item;
      return excerpt(title, url, { project: title, url, company, metric, text });
    }
    case 'posts': {
      const date = dayOf(String(passage.item.published_date ?? ''), timeZone);
      return excerpt(title, url, { article: title, url, date, text });
    }
    case 'team_members':
      return excerpt(title, url, { person: title, url, text });
    case 'reviews':
      return reviewExcerpt(passage.item);
    case 'faq':
      return excerpt(title, url, { question: title, url, answer: text });
    default:
      return excerpt(title, url, { page: title, url, text });
  }
}

function excerpt(title: string, url: string, facts: Record<string, string>): Excerpt {
  const entries = Object.entries(facts).filter(([, value]) => value);
  // Exclude URLs, because digits in them are not facts.
  const text = entries.flatMap(([name, value]) => (name === 'url' ? [] : [`${name}: ${value}`])).join('\n');
  return { title, url, line: JSON.stringify(Object.fromEntries(entries)), text };
}

/** Returns the sentences around the matching words in their original order, or the beginning without a match. */
function bestPart(text: string, words: readonly string[], length: number): string {
  if (text.length <= length) return text;
  const sentences = sentencesOf(text);
  const scores = sentences.map((sentence) => keywords(sentence).filter((term) => words.includes(term)).length);
  const score = (index: number) => 4 * (scores[index] ?? 0) + 2 * (scores[index - 1] ?? 0) + (scores[index + 1] ?? 0);
  const ranked = sentences
    .map((sentence, index) => ({ sentence, at: index }))
    .sort((a, b) => score(b.at) - score(a.at));
  const selected = withinLength(ranked, length, ({ sentence }) => sentence).sort((a, b) => a.at - b.at);
  return selected.map(({ sentence }) => sentence).join(' ') || beginning(text, length);
}

function beginning(text: string, length: number): string {
  return text.length <= length ? text : text.slice(0, length).replace(/\s+\S*$/u, '');
}

/** Returns the items that fit into the length, in their order. */
function withinLength<Item>(items: Item[], length: number, textOf: (item: Item) => string): Item[] {
  let size = 0;
  return items.filter((item) => {
    const fits = size + textOf(item).length <= length;
    if (fits) size += textOf(item).length;
    return fits;
  });
}

/** Formats a date as 2026-11-20 in the time zone of the site, as on its pages (app/ui/lib/format-date.ts). */
function dayOf(moment: string, timeZone = 'Europe/Oslo'): string {
  const time = Date.parse(moment);
  if (Number.isNaN(time)) return '';
  return new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(time);
}
