/** Finds order numbers and similar references of the visitor. A reply may repeat them, because they are not claims. */
import { type Figure, figuresIn } from './figures.ts';
import { promisesIn } from './promises.ts';
import {
  CURRENCIES,
  isFunctionWord,
  isWordOfFigure,
  MONTHS,
  MULTIPLIER,
  PERCENT,
  PERIODS,
  PRICE_WORDS,
  WEEKDAYS,
} from './words.ts';

const TOKEN = /[\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)*/gu;

/** Alternating letters and digits, such as exammwsm5oj97. */
const ALTERNATING = /^(?=.{6})(?:[a-z]+\d+[a-z]+\d+|\d+[a-z]+\d+[a-z]+)[a-z\d]*$/;
/** A few letters before a number, such as AB-2291. */
const NUMBERED = /^[a-z]{1,4}-?\d{4,}$/;

/** Digits after a noun that has a number: order 4711882, invoice no. 10045. Years are excluded. */
const NAMED_NUMBER =
  /\b(?:order|ordre|ordren|bestilling|bestillingen|bestallning|bestallningen|bestellung|auftrag|invoice|faktura|fakturaen|fakturan|rechnung|ref|reference|referanse|referens|referenz|ticket|case|sak|sag|arende|vorgang|booking|parcel|shipment)(?:(?:s|ns|ens)?(?:number|nummer|nr|no))?[ .:#]{0,3}(?:(?:number|nummer|nr|no|id)\b[ .:#]{0,3})?(?:(?:is|er|ar|ist|lautet)\b[ :#]{0,3})?(?!(?:19|20)\d\d\b)(\d{4,})(?![\d.,-]*\d)/g;

/** Words after a reference. They show that the number is part of a name and not a count. */
const AFTER_NAME =
  /^[ ]*(?:$|[.;:,()!?]|(?:is|was|are|were|has|had|will|would|can|could|may|might|does|did|matters?|needs?|seems?|missing|lost|late|mangler|mangelt|fehlt|saknas|kommer|kom|her|hier|har|arrived|came|got|went|and|or|but|er|var|har|ist|war|hat|wird|ar|blev|ble|yourself|myself|here|there|please|further|for|from|in|at|on|to|with)\b)/;

/**
 * Lists the references in a visitor's message.
 * @param reading normalised message
 * @param isWord returns true if letters are a word of the site. Next to figures, such a word could be a claim
 */
export function referencesIn(reading: string, isWord: (letters: string) => boolean): string[] {
  return [
    ...[...reading.matchAll(NAMED_NUMBER)].map(([, number = '']) => number),
    ...[...reading.matchAll(TOKEN)].flatMap(([token]) => (isReference(token, isWord) ? [token] : [])),
  ];
}

function isReference(token: string, isWord: (letters: string) => boolean): boolean {
  if (!ALTERNATING.test(token.replaceAll('-', '')) && !NUMBERED.test(token)) return false;
  const parts = token.match(/[a-z]+/g) ?? [];
  if (
    parts.every((letters) => MULTIPLIER.test(letters)) ||
    parts.some((letters) => hasMeaning(letters) || isWord(letters))
  )
    return false;
  const spelled = token.replace(/\d+/g, ' $& ').replaceAll('-', ' ');
  return (
    !PRICE_WORDS.test(spelled) &&
    promisesIn(spelled).length === 0 &&
    figuresIn(spelled).every(({ kind }) => kind === 'count' || kind === 'code')
  );
}

const CURRENCY_CODES: ReadonlySet<string> = new Set(
  Intl.supportedValuesOf('currency').map((code) => code.toLowerCase()),
);

function hasMeaning(letters: string): boolean {
  return (
    isFunctionWord(letters) ||
    isWordOfFigure(letters) ||
    PERCENT.test(letters) ||
    CURRENCY_CODES.has(letters) ||
    [CURRENCIES, MONTHS, PERIODS, WEEKDAYS].some((words) => words.has(letters))
  );
}

/**
 * Returns true if a figure in a text is a reference or a part of one. A figure with a counted noun ("the top-1000
 * agencies") or next to a word for prices is a claim instead.
 * @param text normalised text
 */
export function isWithinReference(
  references: ReadonlySet<string>,
  text: string,
  { start, end, counted, kind }: Figure,
): boolean {
  const isName = counted.length === 0 || AFTER_NAME.test(text.slice(end));
  if ((kind !== 'count' && kind !== 'code') || PRICE_WORDS.test(text.replace(NAMED_NUMBER, ' '))) return false;
  return [...text.matchAll(TOKEN)].some(
    ({ 0: token, index }) =>
      index <= start &&
      end <= index + token.length &&
      references.has(token) &&
      (isName || !NUMBERED.test(token)) &&
      (!/^\d+$/.test(token) || (isName && isNamed(text, token))),
  );
}

/** Checks whether a number follows a noun that has a number. */
function isNamed(text: string, number: string): boolean {
  return [...text.matchAll(NAMED_NUMBER)].some(([, found]) => found === number);
}
