/**
 * Words for one thing: what visitors write, in any language, on the right; on the left the English word that the content
 * of an agency's site has for it. A search for one of the right finds the left, too.
 */
import { fold } from './words.ts';

const SAME_THING: Record<string, string> = {
  chatbot: 'bot bots chattbot chattbottar chatbotter chatboter assistant assistenten livechat chatten',
  outreach: 'outbound cold prospecting kaltakquise akquise kald kalde kold kolde kall kalla oppsøkende kaldsalg sdr',
  lead: 'leadgen prospect prospects leadgenerering leadgenerierung interessenten emner',
  inbox: 'innboks indbakke inkorg posteingang postfach',
  spam: 'søppelpost junk skräppost skräpposten spamordner spamfilter',
  deliverability: 'leveringsevne leverbarhet leverbarhed zustellbarkeit delivrability deliverable',
  domain: 'domene domener domæne domän domäner domains',
  mailbox: 'postboks postkasse brevlåda postfächer mailboxes',
  email: 'e-post epost mejl mail mails e-mails emails',
  meeting: 'møte møter møde møder möte möten termin termine treffen',
  list: 'liste listen lista adresslista adresseliste',
  hotel: 'hotell hoteller hotels hospitality hotelier',
  freight: 'frakt spedisjon spedition fracht gods',
  logistics: 'logistikk logistik transport',
  copy: 'write writes writing writer copywriter texts text wording skriver skrive tekst tekster texter skriva schreibt schreiben texte',
  infrastructure: 'technical technology dns server servers teknisk tekniske technisch technik plumbing',
  signal: 'signals signaler signale',
  duplicate: 'duplicates duplikater dubletter dubbletter duplikate dubletten',
  handing:
    'handover leave leaves leaving afterwards handovers overlevering overdragelse överlämning übergabe übergeben',
  price: 'pris priser preis preise',
};

const MEANINGS = new Map(
  Object.entries(SAME_THING).flatMap(([meaning, words]) => words.split(' ').map((word) => [fold(word), meaning])),
);

/** The word that the content has for a folded word, or null. */
export function meaningOf(word: string): string | null {
  return MEANINGS.get(word) ?? null;
}
