/** One message of a visitor with all that is known about it, and what is replied. */

import type { Language } from '../languages.ts';
import type { Found, SearchIndex } from '../search.ts';
import { nameOfSite, type SiteContent } from '../site-content.ts';
import type { Source } from '../sources.ts';
import { escapeMarkdown } from '../wording.ts';
import type { Intent } from './intents.ts';
import type { Limits } from './limits.ts';
import type { Phrase } from './phrases/en.ts';
import { PHRASES } from './phrases/phrases.ts';
import type { Named, Names, Subject } from './subjects.ts';

/** Question that a reply of the assistant asked, so that a short answer to it is understood. */
export type Asked = 'goal' | 'which' | 'about the visitor' | 'anything else' | 'shall we talk';

/** Memory of the conversation so far. */
export interface Memory {
  language: Language;
  subject: Subject | null;
  intent: Intent | null;
  asked: Asked | null;
  /** Subjects that the last reply listed, in its order. */
  listed: Subject[];
  /** An address that the visitor gave. */
  address: string | null;
}

export interface Turn {
  text: string;
  content: SiteContent;
  index: SearchIndex;
  names: Names;
  language: Language;
  named: Named;
  found: Found[];
  limits: Limits;
  memory: Memory;
  /** Subject of the message: the one that it names, or else that of the conversation. */
  subject: Subject | null;
}

export interface Reply {
  /** Paragraphs; empty ones are left out. */
  text: (string | false | undefined)[];
  sources?: readonly Source[];
  /** Subject of the conversation from here on; undefined leaves it as it was. */
  subject?: Subject | null;
  asked?: Asked;
  listed?: Subject[];
  address?: string;
  /** Nothing that is published answers the message, whatever is named beside that. */
  isUnanswered?: true;
  /** The message asks nothing that a text could answer: an address, a word of thanks, the wish for a call. */
  isTalk?: true;
}

/** Values that stand for the braces of a phrase. They are Markdown already: texts of the site go through `text`. */
type Values = Record<string, string>;

/** A phrase in the language of the message, with its values and the links that every phrase may have. */
export function say(
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

/** A link to a page of the site that the phrases name. */
export function pageLink(
  turn: Pick<Turn, 'language' | 'content'>,
  phrase: 'services' | 'projects' | 'news' | 'about',
): string {
  return `[${PHRASES[turn.language][phrase]}](/${phrase})`;
}

/** The page that says how to reach us, as a source. */
export function contactSource({ language }: Pick<Turn, 'language'>): Source {
  return { title: PHRASES[language].contactLabel, url: '/contact' };
}

/** A page of the site as a source. */
export function pageSource(turn: Turn, phrase: 'services' | 'projects' | 'news' | 'about'): Source {
  return { title: PHRASES[turn.language][phrase], url: `/${phrase}` };
}

/** Words for what was spoken of before. */
export const REFERS_BACK =
  /(?<!\p{L})(?:it|its|they|them|their|there|that|he|she|his|her|det|den|de|dem|deres|der)(?!\p{L})/iu;
