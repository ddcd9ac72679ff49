/** Answers about the company: people, place, ways to reach it, work, data, and what is not published about it. */

import { DEFAULT_CAREERS } from '../built-in-texts.ts';
import { addressOf, emailOf } from '../contact-facts.ts';
import { keywords, plainText } from '../search.ts';
import { escapeMarkdown, link, list, sentencesOf, shorten } from '../wording.ts';
import { admitUnpublishedOf, clientAskedAbout, quoteReviews, tellReviews } from './answers-projects.ts';
import { describeService, publishedPrices, serviceOf, tellServices } from './answers-services.ts';
import type { PersonSubject } from './subjects.ts';
import { contactSource, pageLink, pageSource, type Reply, say, type Turn } from './turn.ts';

const MAX_PEOPLE = 6;

function peopleOf({ content }: Turn): PersonSubject[] {
  return content.published.filter((item) => item.kind === 'team_members');
}

function peopleList(people: PersonSubject[]): string {
  return list(
    people
      .slice(0, MAX_PEOPLE)
      .map(
        ({ title, item: { position } }) =>
          `**${escapeMarkdown(title)}**${position ? `, ${escapeMarkdown(position)}` : ''}`,
      ),
  );
}

export function tellTeam(turn: Turn): Reply {
  const people = peopleOf(turn);
  // "Who works at Isfront?" asks for people of theirs.
  if (turn.named.project && !turn.named.person) return tellReviews(turn);
  if (turn.named.person) return describePerson(turn, turn.named.person);
  if (people.length === 0) return { text: [say(turn, 'teamNone', { page: pageLink(turn, 'aboutPage') })] };
  return {
    text: [
      say(turn, 'teamSize', { count: String(people.length), page: pageLink(turn, 'about') }),
      peopleList(people),
      say(turn, 'next'),
    ],
    sources: [pageSource(turn, 'about')],
    listed: people.slice(0, MAX_PEOPLE),
    asked: 'about the visitor',
  };
}

export function describePerson(turn: Turn, person: PersonSubject): Reply {
  const { title, url, item } = person;
  const page = link(title, url);
  const position = item.position ? escapeMarkdown(plainText(item.position)) : '';
  return {
    text: [
      position ? say(turn, 'member', { page, position }) : say(turn, 'memberNoPosition', { page }),
      item.bio && `> ${escapeMarkdown(shorten(plainText(item.bio), 320))}`,
      say(turn, 'memberNext', { name: escapeMarkdown(title) }),
    ],
    sources: [{ title: say(turn, 'about'), url }],
    subject: person,
    asked: 'shall we talk',
  };
}

/** Names the people who do the work that was asked about: by position, else everybody. */
export function tellWhoDoes(turn: Turn): Reply {
  const people = peopleOf(turn);
  if (people.length === 0) return tellTeam(turn);
  const words = new Set(keywords(turn.text));
  const fitting = people
    .map((person) => ({
      person,
      shared:
        2 * keywords(person.item.position).filter((word) => words.has(word)).length +
        keywords(plainText(person.item.bio)).filter((word) => words.has(word)).length,
    }))
    .filter(({ shared }) => shared > 0)
    .sort((a, b) => b.shared - a.shared)
    .slice(0, 1)
    .map(({ person }) => person);
  return {
    text: [
      fitting.length > 0 ? say(turn, 'whoDoes') : say(turn, 'whoDoesAny', { page: pageLink(turn, 'about') }),
      peopleList(fitting.length > 0 ? fitting : people),
      say(turn, 'next'),
    ],
    sources: [pageSource(turn, 'about')],
    subject: fitting[0] ?? turn.subject,
    listed: people.slice(0, MAX_PEOPLE),
    asked: 'about the visitor',
  };
}

/** Positions that say who started or leads a company, in the languages of the assistant. */
const FOUNDERS =
  /founder|owner|\bceo\b|managing director|gründer|grunder|grunnlegger|grundlægger|grundare|daglig leder|direktør|\bvd\b|geschäftsführer|inhaber/i;

export function tellFounder(turn: Turn): Reply {
  const people = peopleOf(turn);
  const founder = people.find(({ item }) => FOUNDERS.test(item.position));
  if (founder) return describePerson(turn, founder);
  if (people.length === 0) return tellTeam(turn);
  return {
    text: [say(turn, 'founderNone', { page: pageLink(turn, 'about') }), peopleList(people), say(turn, 'next')],
    sources: [pageSource(turn, 'about')],
    asked: 'about the visitor',
  };
}

export function tellContact(turn: Turn): Reply {
  const { content } = turn;
  const phone = content.settings.get('contact_phone')?.trim();
  const address = addressOf(content);
  return {
    text: [
      say(turn, 'contact', { colon: say(turn, 'contactOrHere') }),
      list([
        say(turn, 'email', { value: escapeMarkdown(emailOf(content)) }),
        ...(phone ? [say(turn, 'phone', { value: escapeMarkdown(phone) })] : []),
        ...(address ? [say(turn, 'address', { value: escapeMarkdown(address) })] : []),
      ]),
      say(turn, 'next'),
    ],
    sources: [contactSource(turn)],
    asked: 'about the visitor',
  };
}

export function tellPhone(turn: Turn): Reply {
  const phone = turn.content.settings.get('contact_phone')?.trim();
  return phone ? tellContact(turn) : { text: [say(turn, 'phoneNone')], asked: 'about the visitor' };
}

/** Our own address, unless the place of a client is asked for: nothing is published about that. */
export function tellPlace(turn: Turn): Reply {
  const client = clientAskedAbout(turn);
  if (client) return admitUnpublishedOf(turn, client);
  const address = addressOf(turn.content);
  if (!address) return admitUnpublished(turn);
  return {
    text: [say(turn, 'place', { address: escapeMarkdown(address) }), say(turn, 'next')],
    sources: [contactSource(turn)],
    asked: 'about the visitor',
  };
}

export function tellCareers(turn: Turn): Reply {
  const saved = turn.content.sections.get('about/careers')?.['description'];
  const text = shorten(plainText(typeof saved === 'string' && saved.trim() ? saved : DEFAULT_CAREERS), 300);
  return {
    text: [`> ${escapeMarkdown(text)}`, say(turn, 'careers', { page: pageLink(turn, 'aboutPage') })],
    sources: [pageSource(turn, 'about')],
    asked: 'about the visitor',
  };
}

export function tellDifference(turn: Turn): Reply {
  const reviews = turn.content.reviews.slice(0, 3);
  return reviews.length > 0 ? quoteReviews(turn, reviews, 'difference') : admitUnpublished(turn);
}

/** Apology and contact, and nothing that sells. */
export function apologise(turn: Turn, phrase: 'unsubscribe' | 'complaint'): Reply {
  const email = escapeMarkdown(emailOf(turn.content));
  return { text: [say(turn, phrase, { orEmail: say(turn, 'orEmail', { email }) })], subject: null };
}

/** Says that nothing is published of what was asked, tells what is known nearby, and offers a person. */
export function admitUnpublished(turn: Turn, nearby = ''): Reply {
  return {
    text: [
      say(turn, 'unpublished', { topic: say(turn, 'topicThis') }),
      nearby && say(turn, 'nearby'),
      nearby,
      say(turn, 'personDecides'),
    ],
    sources: nearby ? [pageSource(turn, 'services')] : [],
    asked: 'about the visitor',
    isUnanswered: true,
  };
}

export function nearPrices(turn: Turn): Reply {
  return admitUnpublished(turn, publishedPrices(turn));
}

/** No list of integrations is published; what services say about the systems of clients is. */
export function tellIntegrations(turn: Turn): Reply {
  const said = turn.content.published.flatMap((item) =>
    item.kind === 'services'
      ? sentencesOf(item.texts.map(plainText).join('. '))
          .filter((sentence) => /\b(CRM|calendar|API|integrat\w+)\b/i.test(sentence))
          .slice(0, 1)
          .map((sentence) => ({ item, sentence }))
      : [],
  );
  return {
    text: [
      say(turn, 'unpublishedTool', { topic: turn.named.tool ?? say(turn, 'topicTools') }),
      said.length > 0 && say(turn, 'nearby'),
      said.length > 0 &&
        list(
          said.map(
            ({ item, sentence }) => `**${escapeMarkdown(item.title)}**: ${escapeMarkdown(shorten(sentence, 200))}`,
          ),
        ),
      say(turn, 'personDecides'),
    ],
    sources: said.map(({ item }) => item),
    asked: 'about the visitor',
    isUnanswered: true,
  };
}

/** Details of a service, or of what the conversation is about. */
export function tellDeliverables(turn: Turn): Reply {
  const service = serviceOf(turn);
  return service ? describeService(turn, service) : tellServices(turn);
}
