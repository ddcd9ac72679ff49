/** Extracts figures from a text: numbers in any notation with their units. */

import { stemOf, wordsOf } from './text.ts';
import {
  AMBIGUOUS_MONTHS,
  AMBIGUOUS_NUMBER_WORDS,
  BETWEEN_NUMBER_AND_UNIT,
  COUNTED_IN_SPEECH,
  CURRENCIES,
  DURATIONS,
  languageOf,
  MONTHS,
  MULTIPLIER,
  NUMBER_WORDS,
  PERCENT,
  PERIODS,
  subjectWords,
  WEEKDAYS,
} from './words.ts';

export type FigureKind = 'money' | 'percent' | 'duration' | 'multiple' | 'date' | 'time' | 'count' | 'code';

export interface Figure {
  kind: FigureKind;
  /** The currency, the unit of time, or the parts of a date. '' for counts. */
  unit: string;
  /** Compared value: the number, or the digits of a date, a time or a phone number. */
  value: string;
  /** Other end of a range. */
  rangeWith: string | null;
  /** Lower bound: "from", "at least". */
  isFloor: boolean;
  /** Upper bound: "up to", "at most". */
  isCap: boolean;
  /** Unit that a price is per: month, user. '' without one. */
  per: string;
  /** Stems of the neighbouring words. */
  context: string[];
  /** Stems of the counted noun, which are the first words after the number. */
  counted: string[];
  start: number;
  end: number;
}

interface NumberMention {
  value: number;
  text: string;
  start: number;
  end: number;
  isWord: boolean;
  /** True for a word that is a number in one language only, such as "to". */
  isAmbiguous: boolean;
}

/** @param text normalised text (see text.ts) */
export function figuresIn(text: string): Figure[] {
  const codesAndDates: Figure[] = [...codesIn(text), ...datesIn(text)];
  const isOutsideCodesAndDates = ({ start, end }: { start: number; end: number }) =>
    !codesAndDates.some((figure) => figure.start < end && start < figure.end);
  const numbers = numbersIn(text).filter(isOutsideCodesAndDates);
  const figures = numbers.flatMap((mention, index) => figureOf(text, mention, numbers[index + 1]) ?? []);
  joinRanges(text, figures);
  const all = [...codesAndDates, ...figures];
  return [...all, ...signsWithoutNumber(text, all)].map((figure) => ({
    ...figure,
    context: contextOf(text, figure),
    counted: countedOf(text, figure),
  }));
}

function figure(kind: FigureKind, unit: string, value: string, start: number, end: number): Figure {
  return {
    kind,
    unit,
    value,
    rangeWith: null,
    isFloor: false,
    isCap: false,
    per: '',
    context: [],
    counted: [],
    start,
    end,
  };
}

/** Phone numbers and similar codes, compared by their digits. */
function codesIn(text: string): Figure[] {
  return [
    ...text.matchAll(
      /\+\d[\d ()/.-]{5,}\d|\b(?:org|tel|phone|telefon|telephone|tlf|ring|call|fax|vat|mva)\b[^\d+]{0,14}(\d[\d ()-]{5,}\d)/g,
    ),
  ].map(({ 0: match, 1: digits, index }) => {
    const start = digits ? index + match.length - digits.length : index;
    return figure('code', '', (digits ?? match).replace(/\D/g, ''), start, index + match.length);
  });
}

const MONTH = [...MONTHS.keys()].sort((a, b) => b.length - a.length).join('|');

function datesIn(text: string): Figure[] {
  const dates: Figure[] = [];
  const add = (pattern: RegExp, read: (groups: string[]) => string) => {
    for (const match of text.matchAll(pattern)) {
      const [start, end] = [match.index, match.index + match[0].length];
      if (dates.some((other) => other.start < end && start < other.end)) continue;
      dates.push(figure('date', '', read(match.slice(1).map((group) => group ?? '')), start, end));
    }
  };
  const twoDigits = (part: string) => part.padStart(2, '0');
  const date = (year: string, month: string, day: string) =>
    `${year || '*'}-${twoDigits(month)}-${day ? twoDigits(day) : '*'}`;
  const monthOf = (name: string) => MONTHS.get(name) ?? '00';
  add(/\b(\d{4})-(\d{1,2})-(\d{1,2})\b/g, ([year = '', month = '', day = '']) => date(year, month, day));
  add(/\b(\d{1,2})[./](\d{1,2})[./](\d{4})\b/g, ([day = '', month = '', year = '']) => date(year, month, day));
  add(
    new RegExp(`\\b(\\d{1,2})(?:st|nd|rd|th|\\.|er|º)? ?(?:of |de )?(${MONTH})\\b\\.?(?:,? (?:de )?(\\d{4}))?`, 'g'),
    ([day = '', month = '', year = '']) => date(year, monthOf(month), day),
  );
  add(
    new RegExp(`\\b(${MONTH})\\b\\.? (?:the )?(\\d{1,2})(?:st|nd|rd|th)?\\b(?:,? (\\d{4}))?`, 'g'),
    ([month = '', day = '', year = '']) => date(year, monthOf(month), day),
  );
  add(new RegExp(`\\b(${MONTH}) (\\d{4})\\b`, 'g'), ([month = '', year = '']) => date(year, monthOf(month), ''));
  add(
    /\b([01]?\d|2[0-3])[:.]([0-5]\d)\b(?! ?(?:%|percent|k\b|million|nok|kr|usd|eur))/g,
    ([hour = '', minute = '']) => `${twoDigits(hour)}:${minute}`,
  );
  for (const match of text.matchAll(/\p{L}+/gu)) {
    const word = match[0];
    const [start, end] = [match.index, match.index + word.length];
    if (dates.some((other) => other.start < end && start < other.end)) continue;
    const weekday = WEEKDAYS.get(word) ?? WEEKDAYS.get(word.replace(/(?:s|er|ar)$/, ''));
    if (weekday) dates.push(figure('date', '', `weekday ${weekday}`, start, end));
    const month = MONTHS.get(word);
    const isMonth =
      !AMBIGUOUS_MONTHS.test(word) ||
      /\b(?:in|by|until|till|since|before|after|early|late|mid|of|from|im|bis|ab|seit|i|innen|til|fra|before|this|next|en|em|de) ?$/.test(
        text.slice(0, start),
      );
    if (month && isMonth) dates.push(figure('date', '', date('', month, ''), start, end));
  }
  return dates;
}

function numbersIn(text: string): NumberMention[] {
  const digitNumbers = [
    ...text.matchAll(/(?<![\d])\d{1,3}(?:([.,' ])\d{3})(?:\1\d{3})*(?!\d)(?:[.,]\d{1,2}(?!\d))?|\d+(?:[.,]\d+)?/g),
  ].map(({ 0: digits, index }) => ({
    value: valueOfDigits(digits),
    text: digits,
    start: index,
    end: index + digits.length,
    isWord: false,
    isAmbiguous: false,
  }));
  return applyMultipliers(
    text,
    [...digitNumbers, ...numberWordsIn(text)].sort((a, b) => a.start - b.start),
  );
}

function valueOfDigits(digits: string): number {
  const digitsWithSigns = digits.replace(/[' ]/g, '');
  const signs = digitsWithSigns.match(/[.,]/g) ?? [];
  const lastSign = Math.max(digitsWithSigns.lastIndexOf('.'), digitsWithSigns.lastIndexOf(','));
  if (lastSign === -1) return Number(digitsWithSigns);
  const isThousands =
    digitsWithSigns.length - lastSign === 4 &&
    !/^0/.test(digitsWithSigns) &&
    (signs.length === 1 || signs.every((sign) => sign === signs[0]));
  if (isThousands) return Number(digitsWithSigns.replace(/[.,]/g, ''));
  return Number(`${digitsWithSigns.slice(0, lastSign).replace(/[.,]/g, '')}.${digitsWithSigns.slice(lastSign + 1)}`);
}

/** Converts each sequence of number words to one number: "two hundred and fifty", "vierzigtausend". */
function numberWordsIn(text: string): NumberMention[] {
  const mentions: NumberMention[] = [];
  let sequence: { parts: number[]; start: number; end: number; isAmbiguous: boolean } | null = null;
  const close = () => {
    if (sequence) {
      const { parts, start, end, isAmbiguous } = sequence;
      mentions.push({
        value: valueOfParts(parts),
        text: text.slice(start, end),
        start,
        end,
        isWord: true,
        isAmbiguous,
      });
    }
    sequence = null;
  };
  for (const { 0: word, index } of text.matchAll(/\p{L}+/gu)) {
    const end = index + word.length;
    const separator: string = sequence ? text.slice(sequence.end, index) : '';
    if (sequence && !/^(?:[ -]|[ -](?:and|og|och|und|et|y|e|en)[ -])$/.test(separator)) {
      if (CONJUNCTION.test(word) && /^[ -]$/.test(separator)) continue;
      close();
    }
    const numbers = partsOf(word);
    if (sequence && numbers && !canFollow(sequence.parts.at(-1) ?? 0, numbers[0] ?? 0)) close();
    const ambiguous = AMBIGUOUS_NUMBER_WORDS.get(word);
    const parts = numbers ?? (ambiguous === undefined ? null : [ambiguous]);
    if (!parts) {
      if (!CONJUNCTION.test(word)) close();
      continue;
    }
    if (sequence) {
      const open: { parts: number[]; end: number; isAmbiguous: boolean } = sequence;
      open.parts.push(...parts);
      open.end = end;
      open.isAmbiguous &&= !numbers;
    } else sequence = { parts: [...parts], start: index, end, isAmbiguous: !numbers };
  }
  close();
  return mentions;
}

/** Checks whether two number words form one number: "forty two", but not "four six". */
function canFollow(before: number, next: number): boolean {
  if (next >= 100 || (before === 4 && next === 20)) return true;
  return before >= 10 && next < before && (before > 12 || next < 10);
}

const CONJUNCTION = /^(?:and|og|och|und|y|e)$/;

/** Splits a number word into its numbers. Returns null for other words. */
function partsOf(word: string): number[] | null {
  const value = NUMBER_WORDS.get(word);
  if (value !== undefined) return [value];
  if (word.length < 6 || word.length > 60) return null;
  for (let length = word.length - 1; length >= 3; length--) {
    const firstPart = word.slice(0, length);
    const value =
      NUMBER_WORDS.get(firstPart) ??
      (firstPart === 'ein' || firstPart === 'een' || firstPart === 'ett' ? 1 : undefined);
    if (value === undefined) continue;
    const lastPart = word.slice(length).replace(/^(?:und|og|en|y|e)(?=\p{L}{3})/u, '');
    const restNumbers = partsOf(lastPart) ?? (NUMBER_WORDS.has(lastPart) ? [Number(NUMBER_WORDS.get(lastPart))] : null);
    if (restNumbers) return [value, ...restNumbers];
  }
  return null;
}

function valueOfParts(parts: number[]): number {
  let total = 0;
  let current = 0;
  for (const part of parts) {
    if (part >= 1000) {
      total += Math.max(current, 1) * part;
      current = 0;
    } else if (part === 100) current = Math.max(current, 1) * 100;
    else if (part === 20 && current === 4) current = 80;
    else current += part;
  }
  return total + current;
}

/** Applies multipliers: "40k", "2 million", "900 thousand". */
function applyMultipliers(text: string, mentions: NumberMention[]): NumberMention[] {
  const result: NumberMention[] = [];
  for (const mention of mentions) {
    const before = result.at(-1);
    const between = before ? text.slice(before.end, mention.start) : '';
    const isMultiplier = mention.isWord && [100, 1000, 1e6, 1e9].includes(mention.value);
    if (before && !before.isWord && isMultiplier && /^[ -]?$/.test(between)) {
      before.value *= mention.value;
      before.end = mention.end;
      continue;
    }
    result.push(mention);
  }
  for (const mention of result) {
    const multiplier = /^ ?(k|m|mm|bn|b|mill?|mio|mrd|grand|lakh|crore)(?![a-z])/.exec(
      text.slice(mention.end, mention.end + 12),
    );
    if (
      mention.isWord
        ? multiplier?.[1] !== 'grand'
        : /\p{L}$/u.test(text.slice(Math.max(0, mention.start - 1), mention.start))
    )
      continue;
    if (!multiplier?.[1]) continue;
    mention.value *= { k: 1e3, grand: 1e3, lakh: 1e5, crore: 1e7, bn: 1e9, b: 1e9, mrd: 1e9 }[multiplier[1]] ?? 1e6;
    mention.end += multiplier[0].length;
  }
  return result;
}

/** Characters around a number that are searched for its unit and bounds. */
const CONTEXT_LENGTH = 80;

function figureOf(text: string, mention: NumberMention, next: NumberMention | undefined): Figure | null {
  const before = text.slice(Math.max(0, mention.start - CONTEXT_LENGTH), mention.start);
  const after = text.slice(mention.end, Math.min(next?.start ?? text.length, mention.end + CONTEXT_LENGTH));
  const createFigure = (kind: FigureKind, unit: string, start: number, end: number) => ({
    ...figure(kind, unit, String(mention.value), start, end),
    ...boundsOf(text.slice(Math.max(0, start - CONTEXT_LENGTH), start), text.slice(end, end + CONTEXT_LENGTH), kind),
    per: kind === 'money' ? periodOf(text.slice(end, end + CONTEXT_LENGTH)) : '',
  });
  const currencyBefore = /(\p{Sc}|us\$|[a-z]{2,8})[ .:*(-]{0,3}$/u.exec(before);
  const code = currencyBefore?.[1] ? currencyOf(currencyBefore[1]) : undefined;
  const isArticle = mention.isAmbiguous && mention.value === 1;
  const unit = unitAfter(after);
  if (unit && !(isArticle && unit.kind === 'duration' && !isMeasured(before)))
    return createFigure(unit.kind, unit.unit, mention.start, mention.end + unit.length);
  if (code && currencyBefore && !mention.isAmbiguous)
    return createFigure('money', code, mention.start - before.length + currencyBefore.index, mention.end);
  const clock = /^ ?(am|pm|a\.m|p\.m|o'?clock|uhr)\b/.exec(after);
  if (clock) {
    const hour = /^p/.test(clock[1] ?? '') && mention.value < 12 ? mention.value + 12 : mention.value;
    return figure('time', '', String(hour), mention.start, mention.end + clock[0].length);
  }
  if (isFigureOfSpeech(text, mention, after)) return null;
  return createFigure('count', '', mention.start, mention.end);
}

/** Returns true if an article before a unit of time is a number, as in "within a week". */
function isMeasured(before: string): boolean {
  return /\b(?:in|within|takes?|only|just|after|under|about|than|for|less than|innen|innenfor|pa|om|etter|under|tar|tager|in|binnen|innerhalb|nach|nur|dauert|bare|kun|inom|efter|bara|dans|en|sous|seulement)\s*$/.test(
    before.trimEnd(),
  );
}

/** Returns true for a number that is not a figure: an article, or a count of parts of the text ("two things"). */
function isFigureOfSpeech(text: string, { value, isWord, isAmbiguous, start }: NumberMention, after: string): boolean {
  if (/\bnumber $/.test(text.slice(Math.max(0, start - 20), start)) && isWord) return false;
  if (isAmbiguous) {
    if (value === 1) return true;
    const isNordic = ['nb', 'da'].includes(languageOf(wordsOf(text)) ?? '');
    return !isNordic || !/^ \p{L}{4,}/u.test(after) || (value === 2 && !/^ \p{L}{3,}(?:er|e|ar|or)\b/u.test(after));
  }
  if (!isWord)
    return /(?<![\p{L}\d])b$/u.test(text.slice(Math.max(0, start - 20), start)) && value === 2 && /^[bc]/.test(after);
  return value > 1 && value <= 12 && COUNTED_IN_SPEECH.test(after.trimStart());
}

function currencyOf(word: string): string | undefined {
  const isOther = /^\p{Sc}$/u.test(word) || /^(?:dollar|dolar|euro(?!p)|zlot|rubel|rubl)/.test(word);
  return CURRENCIES.get(word) ?? (isOther ? 'other' : undefined);
}

interface Unit {
  kind: FigureKind;
  unit: string;
  length: number;
}

/** Returns the unit after a number, or null. */
function unitAfter(after: string): Unit | null {
  let skipped = /^[\s.,:;!?*)(/+'"|-]{0,4}/.exec(after)?.[0].length ?? 0;
  // A sentence may end between a number and its unit. The number and the unit are still in the same clause.
  for (let words = 0; words < 3; words++) {
    const remaining = after.slice(skipped);
    const percent = PERCENT.exec(remaining);
    if (percent) return { kind: 'percent', unit: '', length: skipped + percent[0].length };
    const multiple = MULTIPLIER.exec(remaining);
    if (multiple) return { kind: 'multiple', unit: '', length: skipped + multiple[0].length };
    const word = /^(?:us\$|\p{Sc}|\p{L}+)/u.exec(remaining)?.[0];
    if (!word) return null;
    const currency = currencyOf(word);
    if (currency) return { kind: 'money', unit: currency, length: skipped + word.length };
    const duration = DURATIONS.get(word);
    // A single letter is a unit only directly after its number: 4w.
    if (duration && (word.length > 1 || skipped === 0))
      return { kind: 'duration', unit: duration, length: skipped + word.length };
    const suffix = [...CURRENCIES.keys()].find(
      (name) => name.length > 2 && /^[a-z]+$/.test(name) && word.endsWith(name) && word !== name,
    );
    if (suffix && skipped === 0) return { kind: 'money', unit: CURRENCIES.get(suffix) ?? 'other', length: word.length };
    if (!BETWEEN_NUMBER_AND_UNIT.test(word)) return null;
    skipped += word.length + (/^[\s-]{0,2}/.exec(remaining.slice(word.length))?.[0].length ?? 0);
  }
  return null;
}

const FLOOR =
  /\b(?:from|starting (?:at|from)|starts? (?:at|from)|begins? (?:at|with)|at least|no less than|minimum|min|over|more than|above|fra|fran|minst|mindst|ab|mindestens|mehr als|uber|mer enn|mere end|mer an|desde|a partir de|plus de|au moins|vanaf|minstens|almeno)(?: (?:only|about|just|as low as|a|of))? ?$/;
const CAP =
  /\b(?:up to|at most|no more than|not more than|maximum|max|under|less than|below|within|opptil|inntil|maks|mindre enn|mindre end|mindre an|hogst|upp till|op til|hojst|bis(?: zu)?|hochstens|maximal|weniger als|unter|jusqu'?a|au plus|moins de|hasta|como maximo|fino a|ate|tot|hoogstens)(?: (?:only|about|just|a))? ?$/;

function boundsOf(before: string, after: string, kind: FigureKind): Pick<Figure, 'isFloor' | 'isCap'> {
  const precedingText = before.replace(/(?:\p{Sc}|\b(?:nok|usd|eur|kr|gbp))[ .]*$/u, '').trimEnd();
  // "over three months" is a duration, not a lower bound.
  const isSpan = kind === 'duration' && /\b(?:over|uber) ?$/.test(precedingText);
  return { isFloor: (FLOOR.test(precedingText) && !isSpan) || /^\s?\+/.test(after), isCap: CAP.test(precedingText) };
}

/** Finds a period: "per month", "/user", "monthly". */
function periodOf(after: string): string {
  const followingText = after.slice(0, 40);
  const adverb = /^[\s,(]{0,2}(\p{L}+)/u.exec(followingText)?.[1] ?? '';
  if (PERIODS.has(adverb)) return PERIODS.get(adverb) ?? '';
  const unit =
    /^[\s,(]{0,2}(?:per|pr|pro|a|an|each|every|i|om|im|in der|par|por|al|al|the|\/)(?:[. ]{1,2}|(?<=\/) ?)(\p{L}+)/u.exec(
      followingText,
    )?.[1];
  if (!unit) return '';
  return DURATIONS.get(unit) ?? PERIODS.get(unit) ?? stemOf(unit);
}

/** Joins the ends of a range, such as "4-6 weeks" or "from 2% to 9%". The first end gets the unit of the second. */
function joinRanges(text: string, figures: Figure[]): void {
  for (const [index, first] of figures.entries()) {
    const second = figures[index + 1];
    if (!second) continue;
    const between = text.slice(first.end, second.start);
    if (
      !/^ ?(?:-|to|til|till|bis|auf|pa|naar|or|eller|oder|and|og|och|und|y|et|e|en|a|tot|hasta|fino a|ate)? ?(?:\p{Sc}|kr|nok|usd|eur)? ?$/u.test(
        between,
      ) ||
      between.trim() === ''
    )
      continue;
    if (
      /^ ?(?:and|og|och|und|y|et|e|en) ?$/.test(between) &&
      !/\b(?:between|mellom|mellem|mellan|zwischen|entre|tra|tussen)\b/.test(
        text.slice(Math.max(0, first.start - 20), first.start),
      )
    )
      continue;
    if (first.kind === 'count' && second.kind !== 'count') {
      first.kind = second.kind;
      first.unit = second.unit;
    } else if (second.kind === 'count' && first.kind === 'money') {
      second.kind = first.kind;
      second.unit = first.unit;
    }
    if (first.kind !== second.kind || first.unit !== second.unit) continue;
    first.rangeWith = second.value;
    second.rangeWith = first.value;
    first.isFloor = second.isCap = false;
    first.isCap = second.isFloor = false;
    first.per = second.per;
  }
}

/** Currencies and percent signs without a number. */
function signsWithoutNumber(text: string, figures: Figure[]): Figure[] {
  const isInFigure = (start: number) => figures.some((figure) => figure.start <= start && start < figure.end);
  const signs = [...text.matchAll(/%|‰|\p{Sc}|\p{L}+/gu)].flatMap(({ 0: sign, index }): Figure[] => {
    if (isInFigure(index)) return [];
    if (/^[%‰]$/.test(sign)) return [figure('percent', '', '?', index, index + 1)];
    const currency = ONLY_NEXT_TO_NUMBER.test(sign) ? undefined : currencyOf(sign);
    return currency ? [figure('money', currency, '?', index, index + sign.length)] : [];
  });
  return signs;
}

/** Currency words with other meanings. Such a word is a currency only next to a number. */
const ONLY_NEXT_TO_NUMBER =
  /^(?:pound|pfund|pund|livre|livres|libra|libras|crown|crowns|franc|try|real|ether|eth|crypto|nickel|rub|sterling|cad|aud|other)$/;

function contextOf(text: string, { start, end }: Figure): string[] {
  const before = subjectWords(text.slice(Math.max(0, start - 2 * CONTEXT_LENGTH), start)).slice(-5);
  return [...new Set([...before, ...subjectWords(text.slice(end, end + 2 * CONTEXT_LENGTH)).slice(0, 5)].map(stemOf))];
}

function countedOf(text: string, { end }: Figure): string[] {
  const after = /^[^.;:,()\d!?]*/.exec(text.slice(end, end + CONTEXT_LENGTH))?.[0] ?? '';
  const counted = subjectWords(after).filter((word) => !DURATIONS.has(word));
  return counted.slice(0, 2).map(stemOf);
}
