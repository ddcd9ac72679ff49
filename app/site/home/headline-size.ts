/** Widths in em, rounded up, of letters that are much narrower or wider than average in the headline font. */
const WIDTHS: readonly [letters: RegExp, em: number][] = [
  [/[ijl.,'’:;!|]/, 0.25],
  [/[frt]/, 0.35],
  [/[svxz-]/, 0.5],
  [/[mw]/, 0.87],
  [/[^\p{Ll}]/u, 0.9],
];
const OTHER_LETTERS = 0.56;

/**
 * Headline classes for phones, by the width of the widest word in em. The size is 56 px, or the largest that fits
 * between the margins. Classes are used because the CSP forbids style attributes.
 */
const SIZES: readonly [maxWidth: number, className: string][] = [
  [6.2, 'max-sm:text-[min(3.5rem,calc((100vw-2.5rem)/6.2))]'],
  [6.7, 'max-sm:text-[min(3.5rem,calc((100vw-2.5rem)/6.7))]'],
  [8, 'max-sm:text-[min(3.5rem,calc((100vw-2.5rem)/8))]'],
  [10, 'max-sm:text-[min(3.5rem,calc((100vw-2.5rem)/10))]'],
];

/** Returns the class for the largest headline size that does not break the widest word on a phone. */
export function headlineSize(texts: readonly string[]): string {
  const widest = Math.max(0, ...texts.flatMap((text) => text.split(/\s+/)).map(wordWidth));
  return SIZES.find(([maxWidth]) => widest <= maxWidth)?.[1] ?? 'max-sm:text-display-2 max-sm:wrap-anywhere';
}

function wordWidth(word: string): number {
  return [...word].reduce((width, letter) => width + letterWidth(letter), 0);
}

function letterWidth(letter: string): number {
  return WIDTHS.find(([letters]) => letters.test(letter))?.[1] ?? OTHER_LETTERS;
}
