/** Languages of the built-in assistant: detection in texts, and the setting of the site. */
import { NORWEGIAN_WORDS } from './built-in/dictionary.ts';
import { EXAMPLES } from './built-in/intents.ts';
import { FUNCTION_WORDS } from './guard/words.ts';

export const LANGUAGES = ['en', 'nb'] as const;

export type Language = (typeof LANGUAGES)[number];

/** Frequent words, which do not identify a subject. */
export const SMALL_WORDS: Record<Language, string> = {
  en: 'the a an under over before until since between and or but of to in on for with is are was were be been do does did have has had i you he she it we they me us my your our their this that these those what which who when where why how can could would should will shall may might must not no any some there here from by at as if so than then too very just about into please want need get got know tell show give make take say see use work only also more most much many',
  nb: 'og i på for med er var har hadde jeg du han hun det vi dere de meg deg oss min din vår deres dette denne disse hva hvilken hvilke hvem når hvor hvorfor hvordan kan kunne vil ville skal skulle må ikke noe noen fra av til om så enn også bare mer mye mange ønsker trenger vite fortell vise gi ta si se bruke nå etter uten blir ble være gjør å et en ei',
};

/** Word weights by language: words of the supported languages, and frequent words of other languages. */
const WEIGHTS = new Map<string, Map<string, number>>();
for (const [language, text, weight] of [
  ...Object.entries(FUNCTION_WORDS).map(([language, words]) => [language, words, 2] as const),
  ...Object.entries(SMALL_WORDS).map(([language, words]) => [language, words, 2] as const),
  ['en', EXAMPLES.flatMap(({ sentences }) => sentences).join(' '), 1] as const,
  ['nb', NORWEGIAN_WORDS.join(' '), 1] as const,
]) {
  for (const word of lettersOf(text)) {
    const weights = WEIGHTS.get(word) ?? new Map<string, number>();
    weights.set(language, Math.max(weights.get(language) ?? 0, weight));
    WEIGHTS.set(word, weights);
  }
}

function lettersOf(text: string): string[] {
  return (
    text
      .toLowerCase()
      .replace(/\{\w+\}/g, ' ')
      .match(/\p{L}+/gu) ?? []
  );
}

/** Returns the languages with letters that only they use. */
function languagesOfLetters(word: string): string[] {
  if (/[æøå]/.test(word)) return ['nb'];
  return /[äöüß]/.test(word) ? ['de', 'sv'] : [];
}

/**
 * Detects the language of a text. Returns null for an unsupported language.
 * @param before language of the conversation so far, for texts that are too short
 */
export function languageOf(text: string, before: Language): Language | null {
  const evidence = new Map<string, number>();
  const add = (language: string, weight: number) => evidence.set(language, (evidence.get(language) ?? 0) + weight);
  for (const word of lettersOf(text.slice(0, 400).replace(/\S+@\S+|https?:\S+/g, ' '))) {
    const weights = WEIGHTS.get(word);
    // A word shared by several languages has less weight.
    if (weights) for (const [language, weight] of weights) add(language, weight / weights.size);
    else for (const language of languagesOfLetters(word)) add(language, 0.5);
  }
  const [bestLanguage, highestEvidence] = [...evidence].sort((a, b) => b[1] - a[1])[0] ?? [before, 0];
  if (highestEvidence <= (evidence.get(before) ?? 0) + 0.6) return before;
  return LANGUAGES.find((language) => language === bestLanguage) ?? null;
}

/**
 * Parses the setting chat_languages: codes separated by commas or spaces, the default first. Returns all
 * languages if the setting contains no supported one.
 */
export function parseLanguages(setting: string): readonly Language[] {
  const codes = (setting.toLowerCase().match(/[a-z]+/g) ?? []).map((code) => (code === 'no' ? 'nb' : code));
  const supported = LANGUAGES.filter((language) => codes.includes(language)).sort(
    (a, b) => codes.indexOf(a) - codes.indexOf(b),
  );
  return supported.length > 0 ? supported : LANGUAGES;
}
