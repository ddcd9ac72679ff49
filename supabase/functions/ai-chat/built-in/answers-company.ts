/** Answers about the company: people, ways to reach it, and the systems that it works with. */
import { DEFAULT_CAREERS } from '../built-in-texts.ts';
import { addressOf, emailOf } from '../contact-facts.ts';
import { keywords, plainText } from '../search.ts';
import { escapeMarkdown, link, list, shorten } from '../wording.ts';
import { clientAskedAbout, quoteReviews, tellReviews } from './answers-projects.ts';
import { describeService, serviceOf, tellServices } from './answers-services.ts';
import { admitUnpublished, admitUnpublishedOf } from './answers-unknown.ts';
import type { PersonSubject } from './subjects.ts';
import { contactSource, pageLink, pageSource, type Reply, say, type Turn } from './turn.ts';

const MAX_PEOPLE = 6;

function peopleOf({ content }: Turn): PersonSubject[] {
  return content.published.filter((item) => item.kind === 'team_members');
}

/** Lists the people of the team, below a sentence of why it is all of them. */
function listPeople(turn: Turn, why = ''): Reply {
  const people = peopleOf(turn).slice(0, MAX_PEOPLE);
  if (people.length === 0) return admitUnpublished(turn);
  const lines = people.map(({ title, item: { position } }) =>
    [`**${escapeMarkdown(title)}**`, escapeMarkdown(position)].filter(Boolean).join(', '),
  );
  return {
    text: [why, say(turn, 'quote', { page: pageLink(turn, 'about') }), list(lines), say(turn, 'next')],
    sources: [pageSource(turn, 'about')],
    listed: people,
    asked: 'about the visitor',
  };
}

export function tellTeam(turn: Turn): Reply {
  // "Who works at Isfront?" asks for people of theirs.
  if (turn.named.project && !turn.named.person) return tellReviews(turn);
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

/** Returns the one whose role has what is asked, or whose text has most of it. */
export function personDoing(turn: Turn): { person: PersonSubject; isSure: boolean } | null {
  const asked = keywords(turn.text);
  const [best] = peopleOf(turn)
    .map((person) => {
      const roles = person.item.position.split(/,|&|(?<!\p{L})(?:and|og)(?!\p{L})/u).map(keywords);
      const text = new Set(keywords(`${person.item.position} ${plainText(person.item.bio)}`));
      const isOfRole = (word: string) => roles.flat().some((part) => part === word || isPartOf(part, word));
      return {
        person,
        shared: asked.filter((word) => text.has(word) || isOfRole(word)).length,
        isSure: roles.some((role) => role.length > 0 && role.every((part) => asked.includes(part))),
        isOfRole: asked.some(isOfRole),
      };
    })
    .filter(({ shared, isOfRole }) => isOfRole || (shared > 1 && shared * 2 >= asked.length))
    .sort((a, b) => Number(b.isSure) - Number(a.isSure) || b.shared - a.shared);
  return best ?? null;
}

/** "copy" is part of "copywriting". */
function isPartOf(part: string, word: string): boolean {
  return part.length >= 4 && word.startsWith(part);
}

/** Names who does the work that was asked about, else everybody. */
export function tellWhoDoes(turn: Turn): Reply {
  const best = personDoing(turn);
  return best ? describePerson(turn, best.person) : listPeople(turn);
}

/** Positions that say who started or leads a company, in the languages of the assistant. */
const FOUNDERS = /founder|owner|\bceo\b|managing director|gründer|grunnlegger|daglig leder|direktør/i;

export function tellFounder(turn: Turn): Reply {
  const founder = peopleOf(turn).find(({ item }) => FOUNDERS.test(item.position));
  if (founder) return describePerson(turn, founder);
  return { ...listPeople(turn, say(turn, 'unpublished', { topic: say(turn, 'topicThis') })), isUnanswered: true };
}

/** Lists the ways to reach us. */
export function tellContact(turn: Turn): Reply {
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

/** Tells the number to call, or that there is none and what there is. */
export function tellPhone(turn: Turn): Reply {
  const known = tellContact(turn);
  if (turn.content.settings.get('contact_phone')?.trim()) return known;
  return { ...known, text: [say(turn, 'unpublished', { topic: say(turn, 'topicThis') }), ...known.text], sources: [] };
}

/** Our own address, unless the place of a client is asked for: nothing is published about that. */
export function tellPlace(turn: Turn): Reply {
  const client = clientAskedAbout(turn);
  if (client) return admitUnpublishedOf(turn, client);
  return addressOf(turn.content) ? tellContact(turn) : admitUnpublished(turn);
}

export function tellCareers(turn: Turn): Reply {
  const saved = turn.content.sections.get('about/careers')?.['description'];
  const text = shorten(plainText(typeof saved === 'string' && saved.trim() ? saved : DEFAULT_CAREERS), 300);
  return {
    text: [say(turn, 'quote', { page: pageLink(turn, 'about') }), `> ${escapeMarkdown(text)}`, say(turn, 'next')],
    sources: [pageSource(turn, 'about')],
    asked: 'about the visitor',
  };
}

export function tellDifference(turn: Turn): Reply {
  const reviews = turn.content.reviews.slice(0, 3);
  return reviews.length > 0 ? quoteReviews(turn, reviews) : admitUnpublished(turn);
}

/** Apology and contact, and nothing that sells. */
export function apologise(turn: Turn): Reply {
  return { text: [say(turn, 'sorry', { email: escapeMarkdown(emailOf(turn.content)) })], subject: null };
}

/** Details of a service, or of what the conversation is about. */
export function tellDeliverables(turn: Turn): Reply {
  const service = serviceOf(turn);
  return service ? describeService(turn, service) : tellServices(turn);
}
