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
  da: {
    price: `Hvad det koster, er ikke offentliggjort på dette websted, og jeg vil helst ikke gætte; et menneske kan svare: ${book('da')}.`,
    figure: 'Intet på dette websted oplyser det tal, så jeg udelader det.',
    promise: 'Jeg kan ikke love noget, der ikke står på dette websted; det må et menneske aftale med dig.',
    unreadable: 'Jeg udelader en sætning her, som jeg ikke kunne kontrollere mod dette websted.',
    unconfirmed: `Jeg kan ikke bekræfte det: intet på dette websted siger det. Et menneske kan svare: ${book('da')}.`,
  },
  sv: {
    price: `Vad det kostar är inte publicerat på den här webbplatsen, och jag vill helst inte gissa; en människa kan svara: ${book('sv')}.`,
    figure: 'Inget på den här webbplatsen anger den siffran, så jag utelämnar den.',
    promise:
      'Jag kan inte lova något som inte står på den här webbplatsen; det får en människa komma överens om med dig.',
    unreadable: 'Jag utelämnar en mening här som jag inte kunde kontrollera mot den här webbplatsen.',
    unconfirmed: `Jag kan inte bekräfta det: inget på den här webbplatsen säger det. En människa kan svara: ${book('sv')}.`,
  },
  de: {
    price: `Was das kostet, ist auf dieser Website nicht veröffentlicht, und ich möchte nicht raten; ein Mensch kann es Ihnen sagen: ${book('de')}.`,
    figure: 'Nichts auf dieser Website nennt diese Zahl, deshalb lasse ich sie weg.',
    promise: 'Ich kann nichts versprechen, was nicht auf dieser Website steht; das vereinbart ein Mensch mit Ihnen.',
    unreadable: 'Ich lasse hier einen Satz weg, den ich nicht mit dieser Website abgleichen konnte.',
    unconfirmed: `Das kann ich nicht bestätigen: Nichts auf dieser Website sagt es. Ein Mensch kann es Ihnen sagen: ${book('de')}.`,
  },
};
