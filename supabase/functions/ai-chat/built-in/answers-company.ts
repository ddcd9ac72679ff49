/** Answers about the company: people, contact, and the tools it uses. */
import { DEFAULT_CAREERS } from '../built-in-texts.ts';
import { addressOf, emailOf } from '../contact-facts.ts';
import { keywords, plainText } from '../search.ts';
import { escapeMarkdown, link, list, shorten } from '../wording.ts';
import { answerReviews, quoteReviews, requestedClient } from './answers-projects.ts';
import { answerServices, describeService, serviceOf } from './answers-services.ts';
import { admitUnpublished, admitUnpublishedOf } from './answers-unknown.ts';
import type { PersonSubject } from './subjects.ts';
import { contactSource, formatPhrase, pageLink, pageSource, type Reply, type Turn } from './turn.ts';

const MAX_PEOPLE = 6;

function peopleOf({ content }: Turn): PersonSubject[] {
  return content.published.filter((item) => item.kind === 'team_members');
}

/** Lists the team members below an optional introduction. */
function listPeople(turn: Turn, introduction = ''): Reply {
  const people = peopleOf(turn).slice(0, MAX_PEOPLE);
  if (people.length === 0) return admitUnpublished(turn);
  const lines = people.map(({ title, item: { position } }) =>
    [`**${escapeMarkdown(title)}**`, escapeMarkdown(position)].filter(Boolean).join(', '),
  );
  return {
    text: [
      introduction,
      formatPhrase(turn, 'quote', { page: pageLink(turn, 'about') }),
      list(lines),
      formatPhrase(turn, 'next'),
    ],
    sources: [pageSource(turn, 'about')],
    listedItems: people,
    closingQuestion: 'about the visitor',
  };
}

export function answerTeam(turn: Turn): Reply {
  // "Who works at Isfront?" asks for people of the client.
  if (turn.entities.project && !turn.entities.person) return answerReviews(turn);
  return turn.entities.person ? describePerson(turn, turn.entities.person) : listPeople(turn);
}

export function describePerson(turn: Turn, person: PersonSubject): Reply {
  const { title, url, item } = person;
  return {
    text: [
      [link(title, url), escapeMarkdown(plainText(item.position))].filter(Boolean).join(', '),
      item.bio && `> ${escapeMarkdown(shorten(plainText(item.bio), 320))}`,
      formatPhrase(turn, 'memberNext', { name: escapeMarkdown(title) }),
    ],
    sources: [{ title: formatPhrase(turn, 'about'), url }],
    subject: person,
    closingQuestion: 'shall we talk',
  };
}

/** Returns the person whose position matches the question, or whose text shares most words with it. */
export function findResponsiblePerson(turn: Turn): { person: PersonSubject; isSure: boolean } | null {
  const subjects = keywords(turn.text);
  const [bestPerson] = peopleOf(turn)
    .map((person) => {
      const roles = person.item.position.split(/,|&|(?<!\p{L})(?:and|og)(?!\p{L})/u).map(keywords);
      const text = new Set(keywords(`${person.item.position} ${plainText(person.item.bio)}`));
      const matchesRole = (word: string) => roles.flat().some((part) => part === word || isPartOf(part, word));
      return {
        person,
        sharedCount: subjects.filter((word) => text.has(word) || matchesRole(word)).length,
        isSure: roles.some((role) => role.length > 0 && role.every((part) => subjects.includes(part))),
        hasRole: subjects.some(matchesRole),
      };
    })
    .filter(({ sharedCount, hasRole }) => hasRole || (sharedCount > 1 && sharedCount * 2 >= subjects.length))
    .sort((a, b) => Number(b.isSure) - Number(a.isSure) || b.sharedCount - a.sharedCount);
  return bestPerson ?? null;
}

/** Checks for a prefix: "copy" is part of "copywriting". */
function isPartOf(part: string, word: string): boolean {
  return part.length >= 4 && word.startsWith(part);
}

/** Names the person who does the work in question, otherwise the whole team. */
export function answerResponsiblePerson(turn: Turn): Reply {
  const bestPerson = findResponsiblePerson(turn);
  return bestPerson ? describePerson(turn, bestPerson.person) : listPeople(turn);
}

/** Positions of founders and managing directors, in the supported languages. */
const FOUNDERS = /founder|owner|\bceo\b|managing director|gründer|grunnlegger|daglig leder|direktør/i;

export function answerFounder(turn: Turn): Reply {
  const founder = peopleOf(turn).find(({ item }) => FOUNDERS.test(item.position));
  if (founder) return describePerson(turn, founder);
  return {
    ...listPeople(turn, formatPhrase(turn, 'unpublished', { topic: formatPhrase(turn, 'topicThis') })),
    isUnanswered: true,
  };
}

/** Lists contact details. */
export function answerContact(turn: Turn): Reply {
  const { content } = turn;
  const { title, url } = contactSource(turn);
  const facts = [emailOf(content), content.settings.get('contact_phone')?.trim() ?? '', addressOf(content)];
  return {
    text: [
      formatPhrase(turn, 'contact'),
      list([link(title, url), ...facts.filter(Boolean).map(escapeMarkdown)]),
      formatPhrase(turn, 'next'),
    ],
    sources: [{ title, url }],
    closingQuestion: 'about the visitor',
  };
}

/** Returns the phone number, or says that it is not published and lists the other contact details. */
export function answerPhone(turn: Turn): Reply {
  const contact = answerContact(turn);
  if (turn.content.settings.get('contact_phone')?.trim()) return contact;
  return {
    ...contact,
    text: [formatPhrase(turn, 'unpublished', { topic: formatPhrase(turn, 'topicThis') }), ...contact.text],
    sources: [],
  };
}

/** Returns our address. A client's location is not published. */
export function answerPlace(turn: Turn): Reply {
  const client = requestedClient(turn);
  if (client) return admitUnpublishedOf(turn, client);
  return addressOf(turn.content) ? answerContact(turn) : admitUnpublished(turn);
}

export function answerCareers(turn: Turn): Reply {
  const savedText = turn.content.sections.get('about/careers')?.['description'];
  const text = shorten(plainText(typeof savedText === 'string' && savedText.trim() ? savedText : DEFAULT_CAREERS), 300);
  return {
    text: [
      formatPhrase(turn, 'quote', { page: pageLink(turn, 'about') }),
      `> ${escapeMarkdown(text)}`,
      formatPhrase(turn, 'next'),
    ],
    sources: [pageSource(turn, 'about')],
    closingQuestion: 'about the visitor',
  };
}

export function answerDifference(turn: Turn): Reply {
  const reviews = turn.content.reviews.slice(0, 3);
  return reviews.length > 0 ? quoteReviews(turn, reviews) : admitUnpublished(turn);
}

/** Apologises and gives contact details, without offering services. */
export function apologise(turn: Turn): Reply {
  return { text: [formatPhrase(turn, 'sorry', { email: escapeMarkdown(emailOf(turn.content)) })], subject: null };
}

/** Describes the service in question, otherwise all services. */
export function answerDeliverables(turn: Turn): Reply {
  const service = serviceOf(turn);
  return service ? describeService(turn, service) : answerServices(turn);
}
