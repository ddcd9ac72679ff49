/** Small talk, and visitors' answers to the assistant's own questions. */

import type { Language } from '../languages.ts';
import { escapeMarkdown } from '../wording.ts';
import type { ContactDetails } from './contact-details.ts';
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

export function answerLanguages(turn: Turn): Reply {
  const names = new Intl.DisplayNames([turn.language], { type: 'language' });
  const languages = turn.content.languages.map((language: Language) => names.of(language) ?? language);
  const listed = new Intl.ListFormat(turn.language, { type: 'conjunction' }).format(languages);
  return { text: [say(turn, 'languages', { languages: listed })], asked: 'goal' };
}

/** Offers a call, with the person that the conversation is about. */
export function offerBooking(turn: Turn): Reply {
  const person = turn.named.person ?? (turn.subject?.kind === 'team_members' ? turn.subject : null);
  return {
    text: [person ? say(turn, 'memberNext', { name: escapeMarkdown(person.title) }) : say(turn, 'booking')],
    asked: 'about the visitor',
  };
}

/** Asks for consent to pass on contact details, if the setting allows it. */
export function requestConsent(turn: Turn, { address, when }: ContactDetails): Reply {
  const values = { address: `${escapeMarkdown(address)}${when && ` (${escapeMarkdown(when)})`}` };
  if (!turn.content.takesLeads)
    return { text: [say(turn, 'addressNoLeads', values)], asked: 'anything else', isTalk: true };
  return { text: [say(turn, 'addressLeads', values)], asked: 'shall we talk', address, isTalk: true };
}

/** Replies to "yes", depending on the last question. */
export function replyToYes(turn: Turn): Reply {
  const { asked, address, listed } = turn.memory;
  if (address && asked === 'shall we talk') return requestConsent(turn, { address, when: '' });
  if (asked === 'which') return { text: [say(turn, 'which')], asked, listed };
  if (asked === 'anything else') return { text: [say(turn, 'canDo'), say(turn, 'greetNext')], asked: 'goal' };
  return offerBooking(turn);
}

/** Replies to "no", depending on the last question. */
export function replyToNo(turn: Turn): Reply {
  const { asked } = turn.memory;
  if (asked === 'anything else') return { text: [say(turn, 'bye')] };
  return { text: [say(turn, 'fine')], asked: 'anything else' };
}
