/** Returns the stem of a word by the Snowball algorithm of its language. */
import { stemmer as english } from '@orama/stemmers/english';
import { stemmer as norwegian } from '@orama/stemmers/norwegian';
import type { Language } from './languages.ts';

const STEMMERS: Record<Language, (word: string) => string> = { en: english, nb: norwegian };

/** @param word in lower case */
export function stemIn(language: Language, word: string): string {
  return word.length > 3 ? STEMMERS[language](word) : word;
}
