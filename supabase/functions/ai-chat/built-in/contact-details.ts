/** Finds contact details and a time to call in a message. */

import type { Language } from '../languages.ts';
import type { Intent } from './intents.ts';
import { LIMITS } from './limits.ts';
import { recognise } from './recognise.ts';

export interface ContactDetails {
  /** Email address or phone number. */
  address: string;
  /** Such as "tomorrow at 14:00". '' without a time. */
  when: string;
}

/** Returns the email address or phone number in a text, or null. */
export function findContactDetails(text: string, language: Language): ContactDetails | null {
  const email = /[^\s@<>()[\],;:"]+@[^\s@<>()[\],;:"]+\.\p{L}{2,}/u.exec(text)?.[0];
  const address = email ?? phoneIn(text, language);
  if (!address) return null;
  return { address, when: timeIn(text.replace(address, ' ')) };
}

/**
 * Treats digits as a phone number if they start like one, are the whole message, or the message is about a call.
 * Otherwise they may be a budget.
 */
function phoneIn(text: string, language: Language): string | null {
  const match = /(?:\+|\b)\d[\d ()./-]{5,18}\d\b/.exec(text)?.[0].trim();
  const digits = match?.replace(/\D/g, '').length ?? 0;
  if (!match || digits < 8 || digits > 15) return null;
  const remainingText = text.replace(match, ' ');
  if (/^\d{4}-\d\d-\d\d$|^\d\d?[./-]\d\d?[./-]\d{4}$/.test(match)) return null;
  const [bestMatch] = recognise(remainingText, language);
  const isCall = bestMatch !== undefined && CALL_INTENTS.has(bestMatch.intent) && bestMatch.similarity >= LIMITS.upset;
  return /^(?:\+|00)/.test(match) || remainingText.replace(/\P{L}/gu, '').length < 6 || isCall ? match : null;
}

const CALL_INTENTS: ReadonlySet<Intent> = new Set<Intent>(['callBack', 'phone', 'person', 'contact']);

/** Returns the time to call in a text, such as "tomorrow at 14:00", or ''. */
function timeIn(text: string): string {
  const days =
    'today|tomorrow|monday|tuesday|wednesday|thursday|friday|i dag|i morgen|mandag|tirsdag|onsdag|torsdag|fredag';
  const parts = 'morning|afternoon|evening|noon|formiddag|ettermiddag|kveld';
  const hour = '(?:at|after|before|around|kl\\.?|klokken|etter|før)?\\s*\\d{1,2}(?:[:.]\\d{2})?\\s*(?:am|pm|o.clock)?';
  const match = new RegExp(
    `\\b(?:(?:${days})\\b(?:\\s+(?:${parts}|${hour})\\b)?|(?:at|kl\\.?|klokken)\\s+\\d{1,2}(?:[:.]\\d{2})?(?:\\s*(?:am|pm))?)`,
    'iu',
  ).exec(text);
  return match?.[0].replace(/\s+/g, ' ').trim() ?? '';
}
