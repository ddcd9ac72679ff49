/** Answers about the company: people, contact, and the tools it uses. */
import { DEFAULT_CAREERS } from '../built-in-texts.ts';
import { addressOf, emailOf } from '../contact-facts.ts';
import { keywords, plainText } from '../search.ts';
import { escapeMarkdown, link, list, shorten } from '../wording.ts';
import { answerReviews, clientAskedAbout, quoteReviews } from './answers-projects.ts';
import { answerServices, describeService, serviceOf } from './answers-services.ts';
import { admitUnpublished, admitUnpublishedOf } from './answers-unknown.ts';
import type { PersonSubject } from './subjects.ts';
import { contactSource, pageLink, pageSource, type Reply, say, type Turn } from './turn.ts';

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
    text: [introduction, say(turn, 'quote', { page: pageLink(turn, 'about') }), list(lines), say(turn, 'next')],
    sources: [pageSource(turn, 'about')],
    listed: people,
    asked: 'about the visitor',
  };
}

export function answerTeam(turn: Turn): Reply {
  // "Who works at Isfront?" asks for people of the client.
  if (turn.named.project && !turn.named.person) return answerReviews(turn);
  return turn.named.person ? describePerson(turn, turn.named.person) : listPeople(turn);
}

export function describePerson(turn: Turn, person: PersonSubject): Reply {
  const { title, url, item } = person;
  return {
    text: [
      [link(title, url), escapeMarkdown(plainText(item.position))].filter(Boolean).join(', '),
      item.bio && `> ${escapeMarkdown(shorten(plainText(item.bio), 320))}`,
      say(turn, 'memberNext', { name: escapeMarkdown(title) }),
    ],
    sources: [{ title: say(turn, 'about'), url }],
    subject: person,
    asked: 'shall we talk',
  };
}

/** Returns the person whose position matches the question, or whose text shares most words with it. */
export function personDoing(turn: Turn): { person: PersonSubject; isSure: boolean } | null {
  const subjects = keywords(turn.text);
  const [best] = peopleOf(turn)
    .map((person) => {
      const roles = person.item.position.split(/,|&|(?<!\p{L})(?:and|og)(?!\p{L})/u).map(keywords);
      const text = new Set(keywords(`${person.item.position} ${plainText(person.item.bio)}`));
      const isOfRole = (word: string) => roles.flat().some((part) => part === word || isPartOf(part, word));
      return {
        person,
        shared: subjects.filter((word) => text.has(word) || isOfRole(word)).length,
        isSure: roles.some((role) => role.length > 0 && role.every((part) => subjects.includes(part))),
        isOfRole: subjects.some(isOfRole),
      };
    })
    .filter(({ shared, isOfRole }) => isOfRole || (shared > 1 && shared * 2 >= subjects.length))
    .sort((a, b) => Number(b.isSure) - Number(a.isSure) || b.shared - a.shared);
  return best ?? null;
}

/** Checks for a prefix: "copy" is part of "copywriting". */
function isPartOf(part: string, word: string): boolean {
  return part.length >= 4 && word.startsWith(part);
}

/** Names the person who does the work in question, otherwise the whole team. */
export function answerResponsiblePerson(turn: Turn): Reply {
  const best = personDoing(turn);
  return best ? describePerson(turn, best.person) : listPeople(turn);
}

/** Positions of founders and managing directors, in the supported languages. */
const FOUNDERS = /founder|owner|\bceo\b|managing director|gründer|grunnlegger|daglig leder|direktør/i;

export function answerFounder(turn: Turn): Reply {
  const founder = peopleOf(turn).find(({ item }) => FOUNDERS.test(item.position));
  if (founder) return describePerson(turn, founder);
  return { ...listPeople(turn, say(turn, 'unpublished', { topic: say(turn, 'topicThis') })), isUnanswered: true };
}

/** Lists contact details. */
export function answerContact(turn: Turn): Reply {
  const { content } = turn;
  const { title, url } = contactSource(turn);
  const facts = [emailOf(content), content.settings.get('contact_phone')?.trim() ?? '', addressOf(content)];
  return {
    text: [
      say(turn, 'contact'),
      list([link(title, url), ...facts.filter(Boolean).map(escapeMarkdown)]),
      say(turn, 'next'),
    ],
    sources: [{ title, url }],
    asked: 'about the visitor',
  };
}

/** Returns the phone number, or says that it is not published and lists the other contact details. */
export function answerPhone(turn: Turn): Reply {
  const contact = answerContact(turn);
  if (turn.content.settings.get('contact_phone')?.trim()) return contact;
  return {
    ...contact,
    text: [say(turn, 'unpublished', { topic: say(turn, 'topicThis') }), ...contact.text],
    sources: [],
  };
}

/** Returns our address. A client's location is not published. */
export function answerPlace(turn: Turn): Reply {
  const client = clientAskedAbout(turn);
  if (client) return admitUnpublishedOf(turn, client);
  return addressOf(turn.content) ? answerContact(turn) : admitUnpublished(turn);
}

export function answerCareers(turn: Turn): Reply {
  const savedText = turn.content.sections.get('about/careers')?.['description'];
  const text = shorten(plainText(typeof savedText === 'string' && savedText.trim() ? savedText : DEFAULT_CAREERS), 300);
  return {
    text: [say(turn, 'quote', { page: pageLink(turn, 'about') }), `> ${escapeMarkdown(text)}`, say(turn, 'next')],
    sources: [pageSource(turn, 'about')],
    asked: 'about the visitor',
  };
}

export function answerDifference(turn: Turn): Reply {
  const reviews = turn.content.reviews.slice(0, 3);
  return reviews.length > 0 ? quoteReviews(turn, reviews) : admitUnpublished(turn);
}

/** Apologises and gives contact details, without offering services. */
export function apologise(turn: Turn): Reply {
  return { text: [say(turn, 'sorry', { email: escapeMarkdown(emailOf(turn.content)) })], subject: null };
}

/** Describes the service in question, otherwise all services. */
export function answerDeliverables(turn: Turn): Reply {
  const service = serviceOf(turn);
  return service ? describeService(turn, service) : answerServices(turn);
}
