/** Numbers as tools and spreadsheets write them. */

/** The sign before decimals, where a column says it. */
export type DecimalSign = '.' | ',' | null;

export const READ_COUNTS = '1234, 1 234, 1,234 or 1.234';

/** The largest that the database takes. */
const MOST = 1_000_000_000_000;

/** A whole number, with or without groups of three digits and a fraction of zeros, by the sign of the fraction. */
const WHOLE = {
  '.': /^(?:[1-9]\d{0,2}(?:[,\s'’]\d{3})+|\d+)(?:\.0{1,2})?$/,
  ',': /^(?:[1-9]\d{0,2}(?:[.\s'’]\d{3})+|\d+)(?:,0{1,2})?$/,
} as const;

/**
 * Returns the sign before decimals in a column: the one that has other than three digits behind it, or stands behind a zero.
 * Null if no number shows it: then 1.234 and 1,234 are both thousands, since counts are whole.
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

/** Returns a count, or null for a fraction, a percentage, a negative number or text. */
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

/** Returns an amount in whole units, rounded, with or without the sign or code of its currency. */
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
