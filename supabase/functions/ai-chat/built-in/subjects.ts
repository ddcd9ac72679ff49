/** Finds names in a message: of services, projects, clients, people, industries and countries. */

import { addressOf } from '../contact-facts.ts';
import { keywords, plainText, singular } from '../search.ts';
import { nameOfSite, type Published, type SiteContent } from '../site-content.ts';
import { type Country, countryIn } from './countries.ts';
import { contentWordOf } from './glossary.ts';
import { INDUSTRIES, type Industry, TOOLS } from './industries.ts';
import { Vocabulary, wordsOf } from './words.ts';

export type ServiceSubject = Extract<Published, { kind: 'services' }>;
export type ProjectSubject = Extract<Published, { kind: 'projects' }>;
export type PersonSubject = Extract<Published, { kind: 'team_members' }>;
export type PostSubject = Extract<Published, { kind: 'posts' }>;

/** Subject of a conversation. */
export type Subject = ServiceSubject | ProjectSubject | PersonSubject | PostSubject;

export function isSubject<Item extends Published>(item: Item): item is Item & Subject {
  return item.kind !== 'faq' && item.kind !== 'other' && item.kind !== 'reviews';
}

export interface Entities {
  service: ServiceSubject | null;
  project: ProjectSubject | null;
  person: PersonSubject | null;
  industry: Industry | null;
  country: Country | null;
  /** True if the message names our own town. */
  isOwnTown: boolean;
  /** Official name of a tool. */
  tool: string | null;
  /** The message with placeholders such as {service} instead of names, as in the example sentences. */
  masked: string;
  /** Number of words without the names. */
  otherWords: number;
}

/** Words that are common in service titles of agencies. */
const GENERIC_WORDS = new Set(
  'ai system service automation generation solution management setup consulting agency digital for and the of with our your'.split(
    ' ',
  ),
);

type Kind = 'service' | 'case' | 'person' | 'industry' | 'tool' | 'place';

interface Name {
  kind: Kind;
  subject: Published | null;
  industry: Industry | null;
  tool: string | null;
}

/** Finds names from the site's content in messages. */
export class Names {
  readonly #names = new Map<string, Name>();
  readonly #vocabulary: Vocabulary;
  readonly #siteWords: ReadonlySet<string>;
  readonly projects: readonly ProjectSubject[];

  constructor(content: Pick<SiteContent, 'published' | 'sections' | 'settings'>) {
    const { published } = content;
    for (const industry of INDUSTRIES) {
      for (const word of industry) this.#names.set(word, { kind: 'industry', subject: null, industry, tool: null });
    }
    for (const [word, tool] of TOOLS) this.#names.set(word, { kind: 'tool', subject: null, industry: null, tool });
    this.projects = published.filter((item) => item.kind === 'projects');
    for (const subject of published) {
      if (subject.kind === 'services') this.#add('service', subject, subject.title);
      if (subject.kind === 'projects') this.#add('case', subject, subject.item.company);
      if (subject.kind === 'team_members') this.#add('person', subject, subject.title);
    }
    this.#vocabulary = new Vocabulary(this.#names.keys());
    this.#siteWords = new Set(
      wordsOf(nameOfSite(content)).filter((word) => word.length > 2 && !COMMON_WORDS.has(word)),
    );
    // Our own town is not matched with typos.
    for (const word of wordsOf(addressOf(content)).filter((part) => part.length > 2 && !this.#siteWords.has(part))) {
      if (!this.#names.has(word)) this.#names.set(word, { kind: 'place', subject: null, industry: null, tool: null });
    }
  }

  #add(kind: Kind, subject: Published, name: string): void {
    for (const word of wordsOf(name)) {
      // A general word such as "logistics" does not name the client "Nordvik Logistics".
      if (word.length < 3 || GENERIC_WORDS.has(singular(word)) || this.#names.get(word)?.industry) continue;
      if (!this.#names.has(singular(word)))
        this.#names.set(singular(word), { kind, subject, industry: null, tool: null });
    }
  }

  findIn(message: string): Entities {
    const country = countryIn(message);
    const entities: Entities = {
      service: null,
      project: null,
      person: null,
      industry: null,
      country,
      isOwnTown: false,
      tool: null,
      masked: '',
      otherWords: 0,
    };
    const maskedWords: string[] = [];
    for (const word of wordsOf(message).slice(0, 120)) {
      // "Nordvik Logistics" names no industry.
      if (entities.project && maskedWords.at(-1) === '{case}' && wordsOf(entities.project.item.company).includes(word))
        continue;
      const name = this.#nameOf(word);
      // The examples of the intents contain no names of sites: "What does your company offer?"
      const plainWord = this.#siteWords.has(word) ? 'company' : word;
      const placeholder = country?.word === word ? '{country}' : name ? `{${name.kind}}` : plainWord;
      if (name && placeholder !== '{country}') addEntity(entities, name);
      if (placeholder !== maskedWords.at(-1)) maskedWords.push(placeholder);
    }
    entities.masked = maskedWords.join(' ');
    entities.otherWords = maskedWords.filter((word) => !word.startsWith('{')).length;
    return entities;
  }

  #nameOf(word: string): Name | undefined {
    const contentWord = contentWordOf(word) ?? contentWordOf(singular(word));
    const exactMatch =
      this.#names.get(word) ?? this.#names.get(singular(word)) ?? (contentWord && this.#names.get(contentWord));
    if (exactMatch) return exactMatch;
    // Matches names with typos, except short names and common words: "stork" is not "store".
    const similarWord = word.length >= 5 && !COMMON_WORDS.has(word) ? this.#vocabulary.find(word) : null;
    const intendedName = similarWord && similarWord.similarity >= 0.8 ? this.#names.get(similarWord.word) : undefined;
    return intendedName?.industry && word.length < 7 ? undefined : intendedName;
  }

  /** Returns projects for clients of an industry, based on title, client and summary. */
  projectsInIndustry(words: Industry): ProjectSubject[] {
    return this.projects.filter(({ item: { title, company, description } }) =>
      wordsOf(`${title} ${company} ${plainText(description)}`).some((word) => words.has(word)),
    );
  }

  /** Returns projects whose text contains a word. With `isAbout`, the word must be in the title or summary. */
  projectsMentioning(text: string, isAbout = false): ProjectSubject[] {
    return this.projects.filter(({ texts, title, item }) =>
      `${title} ${isAbout ? item.description : texts.join(' ')}`.includes(text),
    );
  }

  /** Returns projects that use a service: those that share most words with its title and summary. */
  projectsUsing(service: ServiceSubject): ProjectSubject[] {
    const words = new Set(keywords(`${service.title} ${service.item.short_description}`));
    return this.projects
      .map((project) => ({
        project,
        shared: keywords(`${project.title} ${plainText(project.texts.join(' '))}`).filter((word) => words.has(word))
          .length,
      }))
      .filter(({ shared }) => shared >= 2)
      .sort((a, b) => b.shared - a.shared)
      .map(({ project }) => project);
  }
}

/** Common words that resemble names of industries and services, but are not typos of them. */
const COMMON_WORDS = new Set(
  'messages message slacks store stored start started chat health leader school share other clients client'.split(' '),
);

/** Adds a name to the result. Only the first name of each kind is used. */
function addEntity(entities: Entities, { kind, subject, industry, tool }: Name): void {
  if (tool) entities.tool ??= tool;
  if (kind === 'place') entities.isOwnTown = true;
  if (kind === 'industry') entities.industry ??= industry;
  else if (subject?.kind === 'services') entities.service ??= subject;
  else if (subject?.kind === 'projects') entities.project ??= subject;
  else if (subject?.kind === 'team_members') entities.person ??= subject;
}
