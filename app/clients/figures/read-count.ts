/** Number formats of tools and spreadsheets. */

/** Decimal separator of a column. Null if undetermined. */
export type DecimalSign = '.' | ',' | null;

export const READ_COUNTS = '1234, 1 234, 1,234 or 1.234';

/** Database maximum. */
const MOST = 1_000_000_000_000;

/** Whole numbers with optional thousands separators and a zero fraction, by decimal separator. */
const WHOLE = {
  '.': /^(?:[1-9]\d{0,2}(?:[,\s'’]\d{3})+|\d+)(?:\.0{1,2})?$/,
  ',': /^(?:[1-9]\d{0,2}(?:[.\s'’]\d{3})+|\d+)(?:,0{1,2})?$/,
} as const;

/**
 * Detects the decimal separator of a column: the one followed by other than three digits, or after a leading zero. Null
 * if no number shows it. Then 1.234 and 1,234 are both thousands, because counts are whole.
 */
export function decimalSignOf(texts: readonly string[]): DecimalSign {
  const shown = texts.map((text) => {
    const [, sign, digits = ''] = /([.,])(\d+)\s*%?$/.exec(text) ?? [];
    if (sign === undefined) return null;
    return digits.length !== 3 || /^-?0[.,]/.test(text) ? sign : null;
  });
  const points = shown.filter((sign) => sign === '.').length;
  const commas = shown.filter((sign) => sign === ',').length;
  if (points === commas) return null;
  return points > commas ? '.' : ',';
}

/** Parses a count. Null for fractions, percentages, negative numbers and text. */
export function readCount(text: string, sign: DecimalSign): number | null {
  const signs = sign === null ? (['.', ','] as const) : [sign];
  const known = signs.find((one) => WHOLE[one].test(text));
  if (known === undefined) return null;
  const value = Number((text.split(known)[0] ?? '').replace(/\D/g, ''));
  return value <= MOST ? value : null;
}

export function isCount(text: string, sign: DecimalSign): boolean {
  return readCount(text, sign) !== null;
}

/** Parses an amount, rounded to whole units, with or without a currency sign or code. */
export function readAmount(text: string, sign: DecimalSign): number | null {
  const plain = text.replace(/^(\p{Sc}|\p{L}{1,3}\.?)\s*(?=\d)|\s*(\p{Sc}|\p{L}{1,3}\.?|,-)$/gu, '').trim();
  const signs = sign === null ? (['.', ','] as const) : [sign];
  const exact = signs.map((one) => readCount(plain, one)).find((value) => value !== null);
  if (exact !== undefined) return exact;
  for (const one of signs) {
    const [, whole = '', digits = ''] = (one === '.' ? /^(.*)\.(\d+)$/ : /^(.*),(\d+)$/).exec(plain) ?? [];
    const value = readCount(whole, one);
    if (value !== null && digits !== '') return Math.round(value + Number(`0.${digits}`));
  }
  return null;
}
