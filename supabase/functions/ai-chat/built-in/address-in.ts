/** Reads from a message how to reach somebody. */

import type { Language } from '../languages.ts';
import type { Intent } from './intents.ts';
import { LIMITS } from './limits.ts';
import { recognise } from './recognise.ts';

/** The e-mail address or telephone number that a text has, or null. */
export function addressIn(text: string, language: Language): string | null {
  return /[^\s@<>()[\],;:"]+@[^\s@<>()[\],;:"]+\.\p{L}{2,}/u.exec(text)?.[0] ?? phoneIn(text, language);
}

/** Figures are a number to call when they begin like one, stand alone, or a call is spoken of; others are a budget. */
function phoneIn(text: string, language: Language): string | null {
  const found = /(?:\+|\b)\d[\d ()./-]{5,18}\d\b/.exec(text)?.[0].trim();
  const digits = found?.replace(/\D/g, '').length ?? 0;
  if (!found || digits < 8 || digits > 15) return null;
  const rest = text.replace(found, ' ');
  if (/^\d{4}-\d\d-\d\d$|^\d\d?[./-]\d\d?[./-]\d{4}$/.test(found)) return null;
  const [wanted] = recognise(rest, language);
  const isCall = wanted !== undefined && CALLS.has(wanted.intent) && wanted.likeness >= LIMITS.upset;
  return /^(?:\+|00)/.test(found) || rest.replace(/\P{L}/gu, '').length < 6 || isCall ? found : null;
}

const CALLS: ReadonlySet<Intent> = new Set<Intent>(['callBack', 'phone', 'person', 'contact']);
