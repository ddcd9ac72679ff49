/** Parses numbers in the formats of tools and spreadsheets. */

/** Decimal separator of a column. Null if undetermined. */
export type DecimalSign = '.' | ',' | null;

export const COUNT_FORMATS = '1234, 1 234, 1,234 or 1.234';

/** Maximum value in the database. */
const MAX_VALUE = 1_000_000_000_000;

/** Whole numbers with optional thousands separators and a zero fraction, by decimal separator. */
const WHOLE = {
  '.': /^(?:[1-9]\d{0,2}(?:[,\s'’]\d{3})+|\d+)(?:\.0{1,2})?$/,
  ',': /^(?:[1-9]\d{0,2}(?:[.\s'’]\d{3})+|\d+)(?:,0{1,2})?$/,
} as const;

/**
 * Detects the decimal separator of a column. A separator is decimal if the number of digits after it is not three, or
 * if it follows a leading zero. Returns null if no number has such a separator. Both 1.234 and 1,234 then have a
 * thousands separator, because counts are whole numbers.
 */
export function detectDecimalSign(texts: readonly string[]): DecimalSign {
  const decimalSigns = texts.map((text) => {
    const [, sign, digits = ''] = /([.,])(\d+)\s*%?$/.exec(text) ?? [];
    if (sign === undefined) return null;
    return digits.length !== 3 || /^-?0[.,]/.test(text) ? sign : null;
  });
  const pointCount = decimalSigns.filter((sign) => sign === '.').length;
  const commaCount = decimalSigns.filter((sign) => sign === ',').length;
  if (pointCount === commaCount) return null;
  return pointCount > commaCount ? '.' : ',';
}

/** Parses a count. Returns null for fractions, percentages, negative numbers and text. */
export function readCount(text: string, sign: DecimalSign): number | null {
  const signs = sign === null ? (['.', ','] as const) : [sign];
  const decimalSign = signs.find((candidate) => WHOLE[candidate].test(text));
  if (decimalSign === undefined) return null;
  const value = Number((text.split(decimalSign)[0] ?? '').replace(/\D/g, ''));
  return value <= MAX_VALUE ? value : null;
}

export function isCount(text: string, sign: DecimalSign): boolean {
  return readCount(text, sign) !== null;
}

/** Parses an amount with or without a currency sign or code. Rounds to whole units. */
export function readAmount(text: string, sign: DecimalSign): number | null {
  const plain = text.replace(/^(\p{Sc}|\p{L}{1,3}\.?)\s*(?=\d)|\s*(\p{Sc}|\p{L}{1,3}\.?|,-)$/gu, '').trim();
  const signs = sign === null ? (['.', ','] as const) : [sign];
  const wholeValue = signs.map((candidate) => readCount(plain, candidate)).find((value) => value !== null);
  if (wholeValue !== undefined) return wholeValue;
  for (const candidate of signs) {
    const [, whole = '', digits = ''] = (candidate === '.' ? /^(.*)\.(\d+)$/ : /^(.*),(\d+)$/).exec(plain) ?? [];
    const value = readCount(whole, candidate);
    if (value !== null && digits !== '') return Math.round(value + Number(`0.${digits}`));
  }
  return null;
}
