/** The languages in which the assistant can answer: which one a text is in, and which of them a site has. */
import { LANGUAGES, type Language, wordsIn } from './built-in/dictionary.ts';
import { EXAMPLES } from './built-in/intents.ts';

export { LANGUAGES, type Language };

/** Small words that say in which language somebody writes, also where no example sentence has them. */
export const SMALL_WORDS: Record<Language, string> = {
  en: 'the a an under over before until since between and or but of to in on for with is are was were be been do does did have has had i you he she it we they me us my your our their this that these those what which who when where why how can could would should will shall may might must not no any some there here from by at as if so than then too very just about into please want need get got know tell show give make take say see use work only also more most much many',
  nb: 'og i på for med er var har hadde jeg du han hun det vi dere de meg deg oss min din vår deres dette denne disse hva hvilken hvilke hvem når hvor hvorfor hvordan kan kunne vil ville skal skulle må ikke noe noen fra av til om så enn også bare mer mye mange ønsker trenger vite fortell vise gi ta si se bruke nå etter uten blir ble være gjør å et en ei',
  da: 'og i på for med er var har havde jeg du han hun det vi de mig dig os min din vores jeres dette denne disse hvad hvilken hvilke hvem hvornår hvor hvorfor hvordan kan kunne vil ville skal skulle må ikke noget nogle nogen fra af til om så end også bare mere meget mange ønsker vide fortæl vise give tage sige bruge nu efter uden bliver blev være gør at et en jer',
  sv: 'och i på för med är var har hade jag du han hon det vi ni de mig dig oss min din vår er detta denna dessa vad vilken vilka vilket vem när var varför hur kan kunde vill ville ska skulle måste inte något några någon från av till om så än också bara mer mycket många önskar behöver veta berätta visa ge ta säga se använda nu efter utan blir blev vara gör att ett en dom',
  de: 'und oder aber in auf für mit ist sind war waren hat haben hatte ich du er sie es wir ihr mich dich uns mein dein unser euer dieser diese dieses was welche welcher welches wer wann wo warum wie kann können könnte will wollen soll sollte muss nicht kein keine etwas einige von aus zu zum zur um so als auch nur mehr viel viele möchte brauchen wissen sagen zeigen geben machen nehmen sehen jetzt nach ohne wird werden sein der die das ein eine einen einem den dem des im am bei bitte überhaupt',
};

/** Letters that the others do not have. */
const LETTERS: [RegExp, Language[]][] = [
  [/[æø]/i, ['nb', 'da']],
  [/å/i, ['nb', 'da', 'sv']],
  [/ä|ö/i, ['sv', 'de']],
  [/[üß]/i, ['de']],
];

const WEIGHTS = new Map<string, Map<Language, number>>();
for (const language of LANGUAGES) {
  const others = language === 'en' ? EXAMPLES.flatMap(({ sentences }) => sentences) : wordsIn(language);
  for (const [text, weight] of [
    [SMALL_WORDS[language], 2],
    [others.join(' '), 1],
  ] as const) {
    for (const word of lettersOf(text)) {
      const weights = WEIGHTS.get(word) ?? new Map<Language, number>();
      weights.set(language, Math.max(weights.get(language) ?? 0, weight));
      WEIGHTS.set(word, weights);
    }
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

/** "Har I erfaring", "hvor mange er i": in Danish an I after a verb is "you", and written as a capital in any place. */
const DANISH_YOU =
  /[\p{L},] I\b|(?<!\p{L})(?:har|kan|er|lover|gjorde|ligger) i(?! (?:dag|går|morgen|morges|kveld|år|gang|stand))(?!\p{L})/u;

/**
 * The language of a text among those of the site; what is too short to tell stays with `before`, the language of the
 * conversation so far.
 */
export function languageOf(text: string, site: readonly Language[], before: Language): Language {
  const evidence = new Map<Language, number>(site.map((language) => [language, 0]));
  const add = (language: Language, weight: number) => {
    const sum = evidence.get(language);
    if (sum !== undefined) evidence.set(language, sum + weight);
  };
  for (const word of lettersOf(text.slice(0, 400).replace(/\S+@\S+|https?:\S+/g, ' '))) {
    const weights = [...(WEIGHTS.get(word) ?? [])];
    // A word of several languages tells them apart from the others only.
    for (const [language, weight] of weights) add(language, weight / weights.length);
    if (weights.length > 0) continue;
    for (const [letters, languages] of LETTERS) {
      if (letters.test(word)) for (const language of languages) add(language, 1 / languages.length);
    }
  }
  if (DANISH_YOU.test(text) && (evidence.get('da') ?? 0) > (evidence.get('en') ?? 0)) add('da', 1);
  const own = evidence.get(before) ?? 0;
  const [best, most] = [...evidence].sort((a, b) => b[1] - a[1])[0] ?? [before, 0];
  return most > own + 0.6 ? best : before;
}

/**
 * The site's languages as the setting chat_languages names them, codes separated by commas or spaces, the first one
 * being that of a conversation that does not show any; all of them while it names none that is known.
 */
export function parseLanguages(setting: string): readonly Language[] {
  const named = (setting.toLowerCase().match(/[a-z]+/g) ?? []).map((code) => (code === 'no' ? 'nb' : code));
  const known = named.filter((code): code is Language => LANGUAGES.some((language) => language === code));
  return known.length > 0 ? [...new Set(known)] : LANGUAGES;
}
