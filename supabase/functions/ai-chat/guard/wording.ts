/** Sentences that replace withheld sentences. */
import { PHRASES } from '../built-in/phrases/phrases.ts';
import type { Language } from '../languages.ts';
import type { Claim } from './evidence.ts';

/** `unconfirmed` is for a claim of the visitor that no published text confirms. */
export type ReplacementReason = Claim | 'unconfirmed';

const bookingLink = (language: Language) => `[${PHRASES[language].bookLabel}](/#booking)`;

export const REPLACEMENTS: Record<string, Record<ReplacementReason, string>> = {
  en: {
    price: `That price is not published on this site, and I would rather not guess. A person can tell you: ${bookingLink('en')}.`,
    figure: 'Nothing published on this site states that figure, so I left it out.',
    promise: 'I cannot promise anything that is not published on this site. Only a person can agree that with you.',
    unreadable: 'I left out a sentence that I could not check against this site.',
    unconfirmed: `I cannot confirm that, because it is not published on this site. A person can tell you: ${bookingLink('en')}.`,
  },
  nb: {
    price: `Hva det koster, er ikke publisert på dette nettstedet, og jeg vil helst ikke gjette; et menneske kan svare: ${bookingLink('nb')}.`,
    figure: 'Ingenting som er publisert på dette nettstedet, oppgir det tallet, så jeg utelater det.',
    promise: 'Jeg kan ikke love noe som ikke er publisert på dette nettstedet; det må et menneske avtale med deg.',
    unreadable: 'Jeg utelater en setning her som jeg ikke kunne kontrollere mot dette nettstedet.',
    unconfirmed: `Jeg kan ikke bekrefte det: ingenting som er publisert på dette nettstedet, sier det. Et menneske kan svare: ${bookingLink('nb')}.`,
  },
};
