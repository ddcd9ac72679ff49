/** Words that identify figures and promises, normalised (see text.ts), and the languages that the guard supports. */
import { fold } from '../built-in/words.ts';
import { wordsOf } from './text.ts';

/** Frequent words that name no subject. Replies in other languages cannot be checked. */
export const FUNCTION_WORDS: Record<string, string> = {
  en: `the a an and or of to in on for with from by at is are was be been we you our your i it this that these those not no
    do does can could will would may might have has had as if so but which what who how when where more most also they
    their them there here about into than then its us my me all any some only please would have since during until while
    before after under over been were why did get`,
  nb: `og i på er det som for med til av en et ei ikke vi du jeg dere oss deg meg vår vårt våre din ditt dine kan vil skal har
    hva hvem hvordan når hvor om fra å at den de men eller også bare noe noen hvis så ved etter mer`,
  da: `og i på er det som for med til af en et ikke vi du jeg jer os dig mig vores din dit dine kan vil skal har hvad hvem
    hvordan hvornår hvor om fra at den de men eller også kun noget nogle hvis så ved efter mere`,
  sv: `och i på är det som för med till av en ett inte vi du jag er oss dig mig vår vårt våra din ditt dina kan vill ska har
    vad vem hur när var om från att den de men eller också bara något några så vid efter mer`,
  de: `der die das und oder ist sind war ein eine einen einem einer nicht kein keine wir sie ich ihr uns ihnen mir mich unser
    unsere ihre ihrer kann können wird werden haben hat mit für von zu zum zur auf in im an am bei aus nach wie was wer wann
    wo es den dem des als auch nur aber wenn dass mehr`,
  nl: `de het een en of is zijn was niet geen wij we u je jij ik ons onze uw jouw kan kunnen wordt worden hebben heeft met voor
    van te op in aan bij uit naar hoe wat wie wanneer waar dat die deze dit ook maar als er meer`,
  fr: `le la les un une des et ou est sont pas ne nous vous je il elle notre nos votre vos peut peuvent sera avec pour de du
    à au aux en dans sur par qui que quoi comment quand où ce cette ces mais aussi plus si`,
  es: `el la los las un una y o es son no nosotros usted ustedes tú yo nuestro nuestra su sus puede pueden será con para de del
    a al en sobre por que quién cómo cuándo dónde este esta estos pero también más si se le lo`,
  it: `il lo la i gli le un una e o è sono non noi voi io nostro nostra vostro può possono sarà con per di del della a al
    alla in su da che chi come quando dove questo questa ma anche più se si ci vi`,
  pt: `o a os as um uma e ou é são não nós você vocês eu nosso nossa seu sua pode podem será com para de do da em no na sobre
    por que quem como quando onde este esta mas também mais se`,
};

const WORD_SETS = Object.entries(FUNCTION_WORDS).map(
  ([language, words]) => [language, new Set(words.split(/\s+/).map(fold).filter(Boolean))] as const,
);

/** @param word normalised */
export function isFunctionWord(word: string): boolean {
  return WORD_SETS.some(([, words]) => words.has(word));
}

/** Returns the words that name the subject of a text. */
export function subjectWords(reading: string, minLength = 3): string[] {
  return wordsOf(reading).filter((word) => word.length >= minLength && !isFunctionWord(word));
}

/** Returns the number of distinct frequent words, in the language that has most of them. */
export function frequentWordsIn(words: readonly string[]): number {
  return Math.max(
    ...WORD_SETS.map(([, frequent]) => new Set(words.filter((word) => word.length > 1 && frequent.has(word))).size),
  );
}

/** Returns the language with most of its frequent words in the text, or null without any. */
export function languageOf(words: readonly string[]): string | null {
  const counts = WORD_SETS.map(
    ([language, frequent]) => [words.filter((word) => frequent.has(word)).length, language] as const,
  );
  const [count, language] = counts.reduce((bestCount, next) => (next[0] > bestCount[0] ? next : bestCount));
  return count > 0 ? language : null;
}

function valuesOf(table: Record<string, string>): Map<string, string> {
  return new Map(Object.entries(table).flatMap(([value, words]) => words.split(' ').map((word) => [word, value])));
}

/** Number words, normalised, including parts of longer ones (vierzigtausend). */
export const NUMBER_WORDS: ReadonlyMap<string, number> = new Map(
  [
    ...valuesOf({
      0: 'zero null nul noll nil naught zéro',
      2: 'two two zwei zwo tva deux deus dois duas twee',
      3: 'three tre drei trois tres tri drie',
      4: 'four vier fyra quatre cuatro quattro quatro',
      5: 'five fem funf fuenf cinq cinco cinque vijf',
      6: 'six seks sechs sex seis zes',
      7: 'seven sju syv sieben siete sete zeven',
      8: 'eight atte atta otte acht huit ocho otto oito',
      9: 'nine nio neun neuf nueve nove negen',
      10: 'ten zehn tio dix diez dieci dez tien',
      11: 'eleven elleve elva onze undici elf',
      12: 'twelve tolv zwolf zwoelf douze doce dodici doze twaalf dozen dozens dusin dussin dutzend douzaine docena',
      13: 'thirteen tretten tretton dreizehn treize trece tredici treze dertien',
      14: 'fourteen fjorten fjorton vierzehn quatorze catorce quattordici catorze veertien',
      15: 'fifteen femten femton funfzehn quinze quince quindici vijftien',
      16: 'sixteen seksten sexton sechzehn seize dieciseis sedici dezesseis zestien',
      17: 'seventeen sytten sjutton siebzehn diecisiete diciassette dezessete zeventien',
      18: 'eighteen atten arton achtzehn dieciocho diciotto dezoito achttien',
      19: 'nineteen nitten nitton neunzehn diecinueve diciannove dezenove negentien',
      20: 'twenty tjue tyve tjugo zwanzig vingt vingts veinte venti vinte twintig',
      30: 'thirty tretti tredve trettio dreissig trente treinta trenta trinta dertig',
      40: 'forty fourty forti fyrti fyrre fyrtio vierzig quarante cuarenta quaranta quarenta veertig',
      50: 'fifty femti halvtreds femtio funfzig cinquante cincuenta cinquanta cinquenta vijftig',
      60: 'sixty seksti sextio sechzig soixante sesenta sessanta sessenta zestig',
      70: 'seventy sytti halvfjerds sjuttio siebzig setenta settanta zeventig septante',
      80: 'eighty atti firs attio achtzig ochenta ottanta oitenta tachtig',
      90: 'ninety nitti halvfems nittio neunzig noventa novanta negentig nonante',
      100: 'hundred hundreds hundre hundrede hundra hundert honderd ciento cien cento hundreder',
      1000: 'thousand thousands tusen tusind tusinde tausend tausende mille mil mila milles duizend',
      1000000: 'million millions millioner miljon miljoner millionen millones milioni milhoes miljoen mill mio mn',
      1000000000: 'billion billions milliard milliarder miljard miljarder milliarde milliarden bn mrd',
    }),
  ].map(([word, value]) => [fold(word), Number(value)]),
);

/** Number words that have another meaning in another language. Such a word is a number only before a unit. */
export const AMBIGUOUS_NUMBER_WORDS: ReadonlyMap<string, number> = new Map(
  [
    ...valuesOf({
      1: 'one a an en ett et ein eine einen einem einer een un une uno una um uma single eins',
      2: 'to due dos couple',
      4: 'fire',
      6: 'sei',
      7: 'sept sette',
      9: 'ni',
      10: 'ti',
      11: 'elve once',
      100: 'cent cents cem',
    }),
  ].map(([word, value]) => [word, Number(value)]),
);

/** Words after a number that count the text's own parts: "two things". */
export const COUNTED_IN_SPEECH =
  /^(?:of (?:them|these|those|our|the|which)|more|others?|things?|ways?|options?|points?|steps?|examples?|questions?|reasons?|kinds?|types?|parts?|sides?|done|possibilities|ting|mater|mate|eksempler|sporsmal|muligheter|alternativer|dinge|moglichkeiten|beispiele|fragen|satt|saker|exempel|fragor)\b/;

export const CURRENCIES: ReadonlyMap<string, string> = valuesOf({
  usd: 'usd us$ $ dollar dollars dollars dollaria dollari dollaro dolar dolares dolar dollarn buck bucks',
  eur: 'eur € euro euros euroa eurot',
  gbp: 'gbp £ pound pounds sterling quid pfund pund livre livres libra libras',
  kr: 'kr krone kroner kronor kronen kroners crown crowns couronnes coronas',
  nok: 'nok',
  sek: 'sek',
  dkk: 'dkk',
  jpy: '¥ yen jpy yuan cny rmb',
  chf: 'chf franken francs franc',
  inr: '₹ inr rupee rupees',
  btc: '₿ btc bitcoin bitcoins eth ether ethereum crypto',
  cent: 'pence penny pennies dime dimes nickel cents centimes',
  other:
    'cad aud nzd pln zloty czk huf isk rub ruble rubles rouble roubles try lira peso pesos brl krw thb shekel shekels',
});

export const DURATIONS: ReadonlyMap<string, string> = valuesOf({
  second:
    'second seconds sec secs sekund sekunder sekunde sekunden seconde secondes segundo segundos secondi secondo seconden',
  minute: 'minute minutes min mins minutt minutter minut minuter minuten minuto minutos minuti minuut',
  hour: 'hour hours hr hrs h timer timers timme timmar stunde stunden heure heures hora horas ora ore uur uren',
  day: 'day days d dag dager dage dagar tag tage tagen jour jours dia dias giorno giorni dagen virkedag virkedager werktag werktage werktagen arbeitstage arbeitstagen arbeidsdager arbetsdagar vardagar hverdage workday workdays',
  week: 'week weeks wk wks w uke uker uge uger vecka veckor woche wochen semaine semaines semana semanas settimana settimane weken',
  month:
    'month months mo mos mth mths maned maneder manad manader monat monate monaten mois mes meses mese mesi maand maanden',
  quarter: 'quarter quarters kvartal quartal quartale trimestre trimestres',
  year: 'year years yr yrs ar aar jahr jahre jahren ans annee annees ano anos anno anni jaar',
});

/** Checks whether a word is a number, a currency or a unit of time. */
export function isWordOfFigure(word: string): boolean {
  return NUMBER_WORDS.has(word) || CURRENCIES.has(word) || DURATIONS.has(word);
}

/** Period words such as "monthly". */
export const PERIODS: ReadonlyMap<string, string> = valuesOf({
  hour: 'hourly timen stundlich',
  day: 'daily daglig dagligen taglich dagen',
  week: 'weekly ukentlig ugentlig wochentlich uken ugen veckan',
  month: 'monthly manedlig manedlige monatlich mensuel maneden manaden pm',
  year: 'yearly annually annual arlig arligt jahrlich aret',
});

export const PERCENT =
  /^(?:%|‰|٪|percent|percents|pct|prosent|procent|prozent|per ?cent|pour ?cent|por ?ciento|por ?cento|per ?cento)/;

export const MULTIPLIER = /^(?:x|times|fold|ganger|gange|mal|fach|fois|veces|vezes|volte|keer)(?![a-z])/;

/** Words between a number and its unit. */
export const BETWEEN_NUMBER_AND_UNIT =
  /^(?:full|whole|working|work|business|calendar|short|extra|additional|more|norwegian|swedish|danish|us|american|canadian|hele|fulle|volle|ganze|norske|amerikanske|amerikanische)$/;

/** Returns the names of months or weekdays with their number, in all supported languages. */
function namesOf(part: 'month' | 'weekday', count: number): Map<string, string> {
  const names = Object.keys(FUNCTION_WORDS).flatMap((language) => {
    const format = new Intl.DateTimeFormat(language, { [part]: 'long', timeZone: 'UTC' });
    return Array.from({ length: count }, (_, index) => {
      // 1 January 2024 was a Monday.
      const date = part === 'month' ? Date.UTC(2024, index) : Date.UTC(2024, 0, index + 1);
      return [fold(format.format(date)), String(index + 1).padStart(2, '0')] as const;
    });
  });
  return new Map(names);
}

export const MONTHS: ReadonlyMap<string, string> = namesOf('month', 12).set('maerz', '03');

/** Months that are also other words. Such a word is a month only with a preposition or a number. */
export const AMBIGUOUS_MONTHS = /^(?:may|march|mars|mai|maj|mei|marts|marco|augustus|august)$/;

export const WEEKDAYS: ReadonlyMap<string, string> = namesOf('weekday', 7);

/** Words that make a number without a unit an amount. */
export const PRICE_WORDS =
  /\b(?:prices?|priced|pricing|costs?|costing|pay|pays|paid|paying|payment|fees?|charges?|charged|rates?|quote[ds]?|budgets?|invoice\w*|amounts?|sum|spend|worth|cheap\w*|pris\w*|kost\w*|betal\w*|preis\w*|kosten|zahl(?:en|t|st)|honorar\w*|gebuhr\w*|prix|cout\w*|coute\w*|precio\w*|cuesta\w*|prezzo|costa|preco|prijs|avgift\w*|belop|belopp|summen?|betrag)\b/;

/** Words that address the visitor. A past result in a sentence with such a word reads like a promise. */
export const TO_VISITOR =
  /\b(?:you|your|yours|du|deg|din|ditt|dine|dere|deres|dig|dit|jer|jeres|dina|er|era|sie|ihr|ihre|ihrer|ihren|ihnen|dich|dir|dein|deine|deinen|euch|euer|eure|vous|votre|vos|tu|ton|usted|ustedes|vuestro|su|sus|voi|vostro|tuo|voce|voces|seu|sua|u|uw|je|jouw|jij)\b/;

/** Words for all clients. A past result in a sentence with such a word reads like a promise, too. */
export const TO_ALL =
  /\b(?:every|each|all|always|everybody|everyone|anyone|any|typically|usually|normally|on average|hver|hvert|alle|alltid|vanligvis|varje|alla|jeder|jede|jeden|immer|chaque|tous|cada|todos|ogni|tutti)\b/;

/** First-person words, which visitors use about themselves. */
export const ABOUT_VISITOR =
  /\b(?:we|our|ours|us|i|my|mine|vi|var|vart|vare|vores|vara|jeg|jag|min|mitt|mine|oss|os|wir|unser|unsere|unseren|ich|mein|meine|meinen|nous|notre|nos|je|mon|ma|mes|nosotros|nuestro|nuestra|yo|mi|mis|noi|nostro|io|nos|nosso|nossa|eu|meu|minha|wij|ons|onze|ik|mijn)\b/;

/** Returns the language of a Markdown text, or null without any frequent words. */
export function languageOfReply(markdown: string): string | null {
  return languageOf(fold(markdown.toLowerCase()).match(/\p{L}+/gu) ?? []);
}
