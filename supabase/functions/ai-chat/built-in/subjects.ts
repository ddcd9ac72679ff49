/** Finds what a message names: a service, a project by its client, a person, an industry, a country. */

import { addressOf } from '../contact-facts.ts';
import { keywords, plainText, singular } from '../search.ts';
import { nameOfSite, type Published, type SiteContent } from '../site-content.ts';
import { type Country, countryIn } from './countries.ts';
import { meaningOf } from './glossary.ts';
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

export interface Named {
  service: ServiceSubject | null;
  project: ProjectSubject | null;
  person: PersonSubject | null;
  industry: Industry | null;
  country: Country | null;
  /** Says that our own town is named. */
  isOurPlace: boolean;
  /** By its name as its makers write it. */
  tool: string | null;
  /** The message with {service} and so on in place of the names, as the example sentences are written. */
  masked: string;
  /** Words that are left when the names are out. */
  otherWords: number;
}

/** Words that half of all agencies have in the titles of their services. */
const GENERIC = new Set(
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

/** Finds the names of a site's content in messages. */
export class Names {
  readonly #names = new Map<string, Name>();
  readonly #vocabulary: Vocabulary;
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
    // Our own town, which nobody means who mistypes something else.
    const site = new Set(wordsOf(nameOfSite(content)));
    for (const word of wordsOf(addressOf(content)).filter((part) => part.length > 2 && !site.has(part))) {
      if (!this.#names.has(word)) this.#names.set(word, { kind: 'place', subject: null, industry: null, tool: null });
    }
  }

  #add(kind: Kind, subject: Published, name: string): void {
    for (const word of wordsOf(name)) {
      // "Nordvik Logistics" is not meant by everybody who says logistics.
      if (word.length < 3 || GENERIC.has(singular(word)) || this.#names.get(word)?.industry) continue;
      if (!this.#names.has(singular(word)))
        this.#names.set(singular(word), { kind, subject, industry: null, tool: null });
    }
  }

  in(message: string): Named {
    const country = countryIn(message);
    const named: Named = {
      service: null,
      project: null,
      person: null,
      industry: null,
      country,
      isOurPlace: false,
      tool: null,
      masked: '',
      otherWords: 0,
    };
    const masked: string[] = [];
    for (const word of wordsOf(message).slice(0, 120)) {
      // "Nordvik Logistics" names no industry.
      if (named.project && masked.at(-1) === '{case}' && wordsOf(named.project.item.company).includes(word)) continue;
      const name = this.#nameOf(word);
      const place = country?.word === word ? '{country}' : name ? `{${name.kind}}` : word;
      if (name && place !== '{country}') note(named, name);
      if (place !== masked.at(-1)) masked.push(place);
    }
    named.masked = masked.join(' ');
    named.otherWords = masked.filter((word) => !word.startsWith('{')).length;
    return named;
  }

  #nameOf(word: string): Name | undefined {
    const meaning = meaningOf(word) ?? meaningOf(singular(word));
    const known = this.#names.get(word) ?? this.#names.get(singular(word)) ?? (meaning && this.#names.get(meaning));
    if (known) return known;
    // Names are mistyped, too; short ones are other words, and a stork is no store.
    const alike = word.length >= 5 && !COMMON.has(word) ? this.#vocabulary.find(word) : null;
    const meant = alike && alike.likeness >= 0.8 ? this.#names.get(alike.word) : undefined;
    return meant?.industry && word.length < 7 ? undefined : meant;
  }

  /** Projects for clients of an industry, as their title, client and summary tell. */
  ofIndustry(words: Industry): ProjectSubject[] {
    return this.projects.filter(({ item: { title, company, description } }) =>
      wordsOf(`${title} ${company} ${plainText(description)}`).some((word) => words.has(word)),
    );
  }

  /** Projects whose text has a word; those that are about it, by their title and summary, with `isAbout`. */
  mentioning(text: string, isAbout = false): ProjectSubject[] {
    return this.projects.filter(({ texts, title, item }) =>
      `${title} ${isAbout ? item.description : texts.join(' ')}`.includes(text),
    );
  }

  /** Projects that show a service at work: those that share the most words with its title and summary. */
  showing(service: ServiceSubject): ProjectSubject[] {
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

/** Like names of industries and services, and no typing error. */
const COMMON = new Set(
  'messages message slacks store stored start started chat health leader school share other clients client'.split(' '),
);

/** The first of each kind counts. */
function note(named: Named, { kind, subject, industry, tool }: Name): void {
  if (tool) named.tool ??= tool;
  if (kind === 'place') named.isOurPlace = true;
  if (kind === 'industry') named.industry ??= industry;
  else if (subject?.kind === 'services') named.service ??= subject;
  else if (subject?.kind === 'projects') named.project ??= subject;
  else if (subject?.kind === 'team_members') named.person ??= subject;
}
