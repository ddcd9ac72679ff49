/** Countries that visitors name, in the languages of the assistant. */
import { LANGUAGES, type Language } from '../languages.ts';
import { fold, wordsOf } from './words.ts';

const REGIONS =
  'NO SE DK FI IS DE AT CH NL BE LU FR ES PT IT GB IE PL CZ EE LV LT HU RO GR TR UA US CA AU NZ IN CN JP BR MX ZA AE SG EU'.split(
    ' ',
  );

/** Other words for countries, besides their names. */
const ALSO: Record<string, string> = {
  usa: 'US',
  america: 'US',
  american: 'US',
  amerika: 'US',
  england: 'GB',
  britain: 'GB',
  uk: 'GB',
  english: 'GB',
  swedish: 'SE',
  danish: 'DK',
  german: 'DE',
  dach: 'DE',
  norwegian: 'NO',
  finnish: 'FI',
  french: 'FR',
  europe: 'EU',
  europa: 'EU',
  noreg: 'NO',
  holland: 'NL',
};

const CODES = new Map<string, string>(Object.entries(ALSO));
for (const language of LANGUAGES) {
  const names = new Intl.DisplayNames([language], { type: 'region' });
  for (const region of REGIONS) CODES.set(fold(names.of(region) ?? region), region);
}
const ENGLISH = new Intl.DisplayNames(['en'], { type: 'region' });

export interface Country {
  /** ISO 3166. */
  code: string;
  /** The words in which the text names it. */
  words: string[];
}

/** The country that a text names, or null. Only in capitals is US one and not a pronoun. */
export function countryIn(text: string): Country | null {
  if (/\bUS\b/.test(text)) return { code: 'US', words: ['us'] };
  for (const word of wordsOf(text)) {
    const code = CODES.get(word);
    if (code && !isLanguageName(word, text)) return { code, words: [word] };
  }
  return null;
}

/** "In english please" names no country. */
function isLanguageName(word: string, text: string): boolean {
  return ['english', 'norwegian', 'swedish', 'danish', 'german', 'french', 'finnish'].includes(word)
    ? /\b(speak|write|answer|in|understand)\b/i.test(text)
    : false;
}

export function countryName(code: string, language: Language): string {
  return new Intl.DisplayNames([language], { type: 'region' }).of(code) ?? code;
}

/** As the texts of the site name it. */
export function englishCountryName(code: string): string {
  return ENGLISH.of(code) ?? code;
}
