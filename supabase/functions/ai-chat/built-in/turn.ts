/** A message with its context, and the reply to it. */

import type { Language } from '../languages.ts';
import type { SearchIndex, SearchMatch } from '../search.ts';
import { nameOfSite, type SiteContent } from '../site-content.ts';
import type { Source } from '../sources.ts';
import { escapeMarkdown } from '../wording.ts';
import type { Intent } from './intents.ts';
import type { Limits } from './limits.ts';
import type { Phrase } from './phrases/en.ts';
import { PHRASES } from './phrases/phrases.ts';
import type { Entities, Names, Subject } from './subjects.ts';

/** Question that the assistant's reply ended with. A short answer of the visitor, such as "yes", refers to it. */
export type ClosingQuestion = 'goal' | 'which' | 'about the visitor' | 'anything else' | 'shall we talk';

/** State of the conversation so far. */
export interface ConversationState {
  language: Language;
  subject: Subject | null;
  intent: Intent | null;
  closingQuestion: ClosingQuestion | null;
  /** Items that the last reply listed, in order. */
  listedItems: Subject[];
  /** Contact details that the visitor gave. */
  address: string | null;
}

export interface Turn {
  text: string;
  content: SiteContent;
  index: SearchIndex;
  names: Names;
  language: Language;
  entities: Entities;
  matches: SearchMatch[];
  limits: Limits;
  state: ConversationState;
  /** Subject of the message: the named one, otherwise the subject of the conversation. */
  subject: Subject | null;
}

export interface Reply {
  /** Paragraphs. Empty paragraphs are removed. */
  text: (string | false | undefined)[];
  sources?: readonly Source[];
  /** New subject of the conversation. Undefined keeps the current one. */
  subject?: Subject | null;
  closingQuestion?: ClosingQuestion;
  listedItems?: Subject[];
  address?: string;
  /** True if no published content answers the message, even if the reply names related content. */
  isUnanswered?: true;
  /** True if the message needs no content: contact details, thanks, or a request for a call. */
  needsNoContent?: true;
}

/** Values of placeholders in a phrase. They are inserted as Markdown, so texts of the site must be escaped. */
type Values = Record<string, string>;

/** Returns a phrase in the language of the message, with placeholders and links filled in. */
export function formatPhrase(
  { language, content }: Pick<Turn, 'language' | 'content'>,
  phrase: Phrase,
  values: Values = {},
): string {
  const phrases = PHRASES[language];
  const contact = `[${phrases.contactLabel}](/contact)`;
  const person = `[${phrases.personLabel}](/contact#person)`;
  const services = content.services.slice(0, 3).map(({ title }) => escapeMarkdown(title));
  const links: Values = {
    services: new Intl.ListFormat(language).format(services.length > 0 ? services : [phrases.services]),
    book: `[${phrases.bookLabel}](/#booking)`,
    contact,
    person,
    write: content.takesLeads ? person : phrases.write.replace('{contact}', contact),
    site: escapeMarkdown(nameOfSite(content)),
  };
  return phrases[phrase].replace(/\{(\w+)\}/g, (_all, name: string) => values[name] ?? links[name] ?? '');
}

/** Returns a link to a page of the site with its label. */
export function pageLink(
  turn: Pick<Turn, 'language' | 'content'>,
  phrase: 'services' | 'projects' | 'news' | 'about',
): string {
  return `[${PHRASES[turn.language][phrase]}](/${phrase})`;
}

/** Returns the contact page as a source. */
export function contactSource({ language }: Pick<Turn, 'language'>): Source {
  return { title: PHRASES[language].contactLabel, url: '/contact' };
}

/** Returns a page of the site as a source. */
export function pageSource(turn: Turn, phrase: 'services' | 'projects' | 'news' | 'about'): Source {
  return { title: PHRASES[turn.language][phrase], url: `/${phrase}` };
}

/** Words that refer to an earlier subject. */
export const REFERS_BACK =
  /(?<!\p{L})(?:it|its|they|them|their|there|that|he|she|his|her|det|den|de|dem|deres|der)(?!\p{L})/iu;
