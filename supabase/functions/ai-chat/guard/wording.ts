/** Sentences in the place of one that is not shown. */

import { PHRASES } from '../built-in/phrases/phrases.ts';
import type { Language } from '../languages.ts';
import type { Claim } from './evidence.ts';

/** `unconfirmed`: the visitor claims it, and nothing that is published does. */
export type HonestReason = Claim | 'unconfirmed';

const book = (language: Language) => `[${PHRASES[language].bookLabel}](/#booking)`;

export const HONEST: Record<string, Record<HonestReason, string>> = {
  en: {
    price: `What that costs is not published on this site, and I would rather not guess; a person can tell you: ${book('en')}.`,
    figure: 'Nothing published on this site states that figure, so I leave it out.',
    promise: 'I cannot promise what is not published on this site; that is for a person to agree with you.',
    unreadable: 'I leave out a sentence here that I could not check against this site.',
    unconfirmed: `I cannot confirm that: nothing published on this site says so. A person can tell you: ${book('en')}.`,
  },
  nb: {
    price: `Hva det koster, er ikke publisert på dette nettstedet, og jeg vil helst ikke gjette; et menneske kan svare: ${book('nb')}.`,
    figure: 'Ingenting som er publisert på dette nettstedet, oppgir det tallet, så jeg utelater det.',
    promise: 'Jeg kan ikke love noe som ikke er publisert på dette nettstedet; det må et menneske avtale med deg.',
    unreadable: 'Jeg utelater en setning her som jeg ikke kunne kontrollere mot dette nettstedet.',
    unconfirmed: `Jeg kan ikke bekrefte det: ingenting som er publisert på dette nettstedet, sier det. Et menneske kan svare: ${book('nb')}.`,
  },
};
