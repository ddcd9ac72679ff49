/** Small talk, and visitors' answers to the assistant's own questions. */

import type { Language } from '../languages.ts';
import { escapeMarkdown } from '../wording.ts';
import type { ContactDetails } from './contact-details.ts';
import { formatPhrase, type Reply, type Turn } from './turn.ts';

export function greet(turn: Turn): Reply {
  const tagline = turn.content.settings.get('site_tagline');
  return {
    text: [
      formatPhrase(turn, 'greet', { tagline: tagline ? ` (${escapeMarkdown(tagline)})` : '' }),
      formatPhrase(turn, 'canDo'),
      formatPhrase(turn, 'greetNext'),
    ],
    closingQuestion: 'goal',
  };
}

export function answerLanguages(turn: Turn): Reply {
  const names = new Intl.DisplayNames([turn.language], { type: 'language' });
  const languages = turn.content.languages.map((language: Language) => names.of(language) ?? language);
  const languageList = new Intl.ListFormat(turn.language, { type: 'conjunction' }).format(languages);
  return { text: [formatPhrase(turn, 'languages', { languages: languageList })], closingQuestion: 'goal' };
}

/** Offers a call, with the person that the conversation is about. */
export function offerBooking(turn: Turn): Reply {
  const person = turn.entities.person ?? (turn.subject?.kind === 'team_members' ? turn.subject : null);
  return {
    text: [
      person ? formatPhrase(turn, 'memberNext', { name: escapeMarkdown(person.title) }) : formatPhrase(turn, 'booking'),
    ],
    closingQuestion: 'about the visitor',
  };
}

/** Asks for consent to pass on contact details, if the setting allows it. */
export function requestConsent(turn: Turn, { address, when }: ContactDetails): Reply {
  const values = { address: `${escapeMarkdown(address)}${when && ` (${escapeMarkdown(when)})`}` };
  if (!turn.content.takesLeads)
    return {
      text: [formatPhrase(turn, 'addressNoLeads', values)],
      closingQuestion: 'anything else',
      needsNoContent: true,
    };
  return {
    text: [formatPhrase(turn, 'addressLeads', values)],
    closingQuestion: 'shall we talk',
    address,
    needsNoContent: true,
  };
}

/** Replies to "yes", depending on the last question. */
export function replyToYes(turn: Turn): Reply {
  const { closingQuestion, address, listedItems } = turn.state;
  if (address && closingQuestion === 'shall we talk') return requestConsent(turn, { address, when: '' });
  if (closingQuestion === 'which') return { text: [formatPhrase(turn, 'which')], closingQuestion, listedItems };
  if (closingQuestion === 'anything else')
    return { text: [formatPhrase(turn, 'canDo'), formatPhrase(turn, 'greetNext')], closingQuestion: 'goal' };
  return offerBooking(turn);
}

/** Replies to "no", depending on the last question. */
export function replyToNo(turn: Turn): Reply {
  const { closingQuestion } = turn.state;
  if (closingQuestion === 'anything else') return { text: [formatPhrase(turn, 'bye')] };
  return { text: [formatPhrase(turn, 'youAreWelcome')], closingQuestion: 'anything else' };
}
