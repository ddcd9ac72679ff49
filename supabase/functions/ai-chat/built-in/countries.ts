/** Country names in the supported languages. */
import { LANGUAGES } from '../languages.ts';
import { fold, wordsOf } from './words.ts';

const REGIONS =
  'NO SE DK FI IS DE AT CH NL BE LU FR ES PT IT GB IE PL CZ EE LV LT HU RO GR TR UA US CA AU NZ IN CN JP BR MX ZA AE SG EU'.split(
    ' ',
  );

/** Other names of countries. */
const OTHER_NAMES =
  'US: usa america american amerika, GB: england britain uk english, SE: swedish, DK: danish, DE: german dach, NO: norwegian noreg, FI: finnish, FR: french, EU: europe europa, NL: holland';

const ENGLISH = new Intl.DisplayNames(['en'], { type: 'region' });
const NAMES = new Map<string, string>();
for (const language of LANGUAGES) {
  const names = new Intl.DisplayNames([language], { type: 'region' });
  for (const region of REGIONS) NAMES.set(fold(names.of(region) ?? region), ENGLISH.of(region) ?? region);
}
for (const row of OTHER_NAMES.split(', ')) {
  const [region = '', words = ''] = row.split(': ');
  for (const word of words.split(' ')) NAMES.set(word, ENGLISH.of(region) ?? region);
}

export interface Country {
  /** English name, as in the texts of the site. */
  name: string;
  /** Word in the message. */
  word: string;
}

/** Returns the country that a text names, or null. "US" must be in capitals, because "us" is a pronoun. */
export function countryIn(text: string): Country | null {
  if (/\bUS\b/.test(text)) return { name: 'United States', word: 'us' };
  // "In English please" names no country.
  const isAboutLanguages = /\b(speak|write|answer|in|understand)\b/i.test(text);
  for (const word of wordsOf(text)) {
    const name = NAMES.get(word);
    if (name && !(isAboutLanguages && /(?:ish|german|french|norwegian)$/.test(word))) return { name, word };
  }
  return null;
}
