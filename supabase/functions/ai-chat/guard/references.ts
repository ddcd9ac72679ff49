/** Finds order numbers and the like in what a visitor wrote: a reply may repeat them, for they claim nothing. */
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

/** Letters and digits by turns, such as exammwsm5oj97. */
const BY_TURNS = /^(?=.{6})(?:[a-z]+\d+[a-z]+\d+|\d+[a-z]+\d+[a-z]+)[a-z\d]*$/;
/** A few letters before a number, such as AB-2291. */
const NUMBERED = /^[a-z]{1,4}-?\d{4,}$/;

/**
 * Lists the references in a visitor's words.
 * @param reading of their message
 * @param isWord tells whether letters are a word of the site: with figures beside it, it would say something
 */
export function referencesIn(reading: string, isWord: (letters: string) => boolean): string[] {
  return [...reading.matchAll(TOKEN)].flatMap(([token]) => (isReference(token, isWord) ? [token] : []));
}

function isReference(token: string, isWord: (letters: string) => boolean): boolean {
  if (!BY_TURNS.test(token.replaceAll('-', '')) && !NUMBERED.test(token)) return false;
  const parts = token.match(/[a-z]+/g) ?? [];
  if (
    parts.every((letters) => MULTIPLIER.test(letters)) ||
    parts.some((letters) => saysSomething(letters) || isWord(letters))
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

function saysSomething(letters: string): boolean {
  return (
    isFunctionWord(letters) ||
    isWordOfFigure(letters) ||
    PERCENT.test(letters) ||
    CURRENCY_CODES.has(letters) ||
    [CURRENCIES, MONTHS, PERIODS, WEEKDAYS].some((words) => words.has(letters))
  );
}

/**
 * Tells whether a figure in a text is a reference or a part of one. With what it counts ("the top-1000 agencies") or
 * beside words of prices it says something.
 * @param text a reading
 */
export function isWithinReference(
  references: ReadonlySet<string>,
  text: string,
  { start, end, counted, kind }: Figure,
): boolean {
  if ((kind !== 'count' && kind !== 'code') || PRICE_WORDS.test(text)) return false;
  return [...text.matchAll(TOKEN)].some(
    ({ 0: token, index }) =>
      index <= start &&
      end <= index + token.length &&
      references.has(token) &&
      (counted.length === 0 || !NUMBERED.test(token)),
  );
}
