/** Replies around the questions, and to questions of the assistant's own. */

import type { Language } from '../languages.ts';
import { escapeMarkdown } from '../wording.ts';
import type { GivenAddress } from './address-in.ts';
import { type Reply, say, type Turn } from './turn.ts';

export function greet(turn: Turn): Reply {
  const tagline = turn.content.settings.get('site_tagline');
  return {
    text: [
      say(turn, 'greet', { tagline: tagline ? ` (${escapeMarkdown(tagline)})` : '' }),
      say(turn, 'canDo'),
      say(turn, 'greetNext'),
    ],
    asked: 'goal',
  };
}

export function introduceMyself(turn: Turn): Reply {
  return { text: [say(turn, 'whoAreYou'), say(turn, 'next')], asked: 'about the visitor' };
}

export function tellLanguages(turn: Turn): Reply {
  const names = new Intl.DisplayNames([turn.language], { type: 'language' });
  const languages = turn.content.languages.map((language: Language) => names.of(language) ?? language);
  const listed = new Intl.ListFormat(turn.language, { type: 'conjunction' }).format(languages);
  return { text: [say(turn, 'languages', { languages: listed })], asked: 'goal' };
}

export function offerBooking(turn: Turn): Reply {
  const { service } = turn.named;
  const what = service ?? (turn.subject?.kind === 'services' ? turn.subject : null);
  const about = what ? say(turn, 'bookingAbout', { what: escapeMarkdown(what.title) }) : '';
  return { text: [say(turn, 'booking', { about })], asked: 'about the visitor' };
}

export function offerPerson(turn: Turn): Reply {
  const person = turn.named.person ?? (turn.subject?.kind === 'team_members' ? turn.subject : null);
  return {
    text: [person ? say(turn, 'personNamed', { name: escapeMarkdown(person.title) }) : say(turn, 'person')],
    asked: 'about the visitor',
  };
}

export function takeAddress(turn: Turn, { address, isPhone, when }: GivenAddress): Reply {
  const values = {
    address: escapeMarkdown(address),
    when: when ? say(turn, 'whenSaid', { when: escapeMarkdown(when) }) : '',
  };
  if (!turn.content.takesLeads)
    return { text: [say(turn, 'addressNoLeads', values)], asked: 'anything else', isTalk: true };
  return {
    text: [say(turn, isPhone ? 'phoneLeads' : 'addressLeads', values)],
    asked: 'shall we talk',
    address,
    isTalk: true,
  };
}

export function offerCallBack(turn: Turn): Reply {
  return { text: [say(turn, turn.content.takesLeads ? 'callBackLeads' : 'callBack')], asked: 'about the visitor' };
}

/** Replies to a yes, by what was asked. */
export function takeYes(turn: Turn): Reply {
  const { asked, address } = turn.memory;
  if (address && asked === 'shall we talk')
    return takeAddress(turn, { address, isPhone: !address.includes('@'), when: '' });
  if (asked === 'does one resemble')
    return { text: [say(turn, 'projectsYes')], asked: 'which project', listed: turn.memory.listed };
  if (asked === 'which service')
    return { text: [say(turn, 'whichService')], asked: 'which service', listed: turn.memory.listed };
  if (asked === 'anything else') return { text: [say(turn, 'canDo'), say(turn, 'greetNext')], asked: 'goal' };
  return offerBooking(turn);
}

/** And what no does. */
export function takeNo(turn: Turn): Reply {
  const { asked } = turn.memory;
  if (asked === 'anything else') return { text: [say(turn, 'bye')] };
  if (asked === 'does one resemble') return { text: [say(turn, 'projectsNo')], asked: 'about the visitor' };
  return { text: [say(turn, 'fine')], asked: 'anything else' };
}

/** The answer to a question of the assistant's own, such as how large the team is. */
export function takeNote(turn: Turn): Reply {
  return { text: [say(turn, 'noted')], asked: 'anything else', isTalk: true };
}
