/**
 * Synonyms: the English word in the content of an agency's site, and words that visitors use for it in any language. A
 * search for a synonym also finds that word.
 */
import { fold } from './words.ts';

const SYNONYMS: Record<string, string> = {
  chatbot: 'bot bots chatbotter chatboter assistant assistenten livechat chatten',
  outreach: 'outbound cold prospecting kald kalde oppsøkende kaldsalg sdr',
  lead: 'leadgen prospect prospects leadgenerering emner',
  inbox: 'innboks',
  spam: 'søppelpost junk spamfilter',
  deliverability: 'leveringsevne leverbarhet delivrability deliverable',
  domain: 'domene domener domains',
  mailbox: 'postboks postkasse mailboxes',
  email: 'e-post epost mail mails e-mails emails',
  meeting: 'møte møter',
  list: 'liste listen adresseliste',
  hotel: 'hotell hoteller hotels hospitality hotelier',
  freight: 'frakt spedisjon gods',
  logistics: 'logistikk transport',
  copy: 'write writes writing writer copywriter texts text wording skriver skrive tekst tekster',
  infrastructure: 'technical technology dns server servers teknisk tekniske plumbing',
  signal: 'signals signaler',
  duplicate: 'duplicates duplikater',
  handing: 'handover leave leaves leaving afterwards handovers overlevering',
  price: 'pris priser',
};

const MEANINGS = new Map(
  Object.entries(SYNONYMS).flatMap(([contentWord, words]) => words.split(' ').map((word) => [fold(word), contentWord])),
);

/** Returns the word used in the content for a folded word, or null. */
export function contentWordOf(word: string): string | null {
  return MEANINGS.get(word) ?? null;
}
