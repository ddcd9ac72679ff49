/**
 * The tokens that follow the owner's accent colour, in both themes. Light: the colour itself on paper. Dark: its hue, as
 * light and as colourful as the night needs. Not for the first page's JavaScript: the server writes them into the page.
 */

import { contrastOf, hexToOklch, isHexColour, type Oklch, oklchToHex, withinGamut } from '../../ui/lib/oklch.ts';
import { LIGHT } from './brand.ts';

/** Least contrast of text by WCAG AA. */
export const LEAST_CONTRAST = 4.5;

/** The grounds that the accent stands on as text, and what stands on its own soft ground. As the tokens of app.css. */
export const GROUNDS = {
  light: { canvas: LIGHT.canvas, surface: LIGHT.surface, sunken: '#f0ece4' },
  dark: { canvas: '#08110e', surface: '#0f1b17', sunken: '#040b08' },
} as const;
export const TEXTS = {
  light: { ink: LIGHT.ink, muted: LIGHT.muted },
  dark: { ink: '#eef2e9', muted: '#a4b3a9' },
} as const;

/** The built-in accent of the light theme, from which the other tones keep their distance in chroma. */
const BUILT_IN_CHROMA = 0.088;

/** Token names without their dashes, with colours as #rrggbb. */
type Tokens = Record<string, string>;

export interface AccentTokens {
  light: Tokens;
  dark: Tokens;
}

/** Returns the colour as content keeps it: #rrggbb in small letters; null when the text is none. */
export function readColour(text: string): string | null {
  const [, digits = ''] = /^\s*#?([0-9a-f]{3}|[0-9a-f]{6})\s*$/i.exec(text) ?? [];
  const long = digits.length === 3 ? digits.replace(/./g, '$&$&') : digits;
  return long ? `#${long.toLowerCase()}` : null;
}

export interface AccentRefusal {
  /** On the ground where it is lowest. */
  contrast: number;
  /** The colour of the same hue that is nearest in lightness and passes. */
  nearest: string;
}

/**
 * Tells why a colour, #rrggbb, cannot be the accent: too light to be read on paper, or to carry text. Null when it can.
 */
export function refusalOfAccent(accent: string): AccentRefusal | null {
  const contrast = lowestContrast(accent);
  if (contrast >= LEAST_CONTRAST) return null;
  const colour = hexToOklch(accent);
  let [passes, fails] = [0, colour.lightness];
  while (fails - passes > 1e-4) {
    const lightness = (passes + fails) / 2;
    if (lowestContrast(oklchToHex({ ...colour, lightness })) >= LEAST_CONTRAST) passes = lightness;
    else fails = lightness;
  }
  return { contrast, nearest: oklchToHex({ ...colour, lightness: passes }) };
}

/**
 * Returns the tokens of an accent. Null where the built-in ones hold: for their own accent, and for what is none or
 * refused.
 */
export function accentTokens(accent: string): AccentTokens | null {
  if (!isHexColour(accent) || accent === LIGHT.accent || refusalOfAccent(accent)) return null;
  const colour = hexToOklch(accent);
  return { light: lightTokens(accent, colour), dark: darkTokens(colour) };
}

/** Returns the saved colour if it is one that pages take; otherwise the built-in one. */
export function acceptedAccent(accent: string): string {
  return accentTokens(accent)?.light['accent'] ?? LIGHT.accent;
}

/** Rules that replace the tokens of the stylesheet when they come after it. */
export function accentCss({ light, dark }: AccentTokens): string {
  const rule = (selector: string, tokens: Tokens) =>
    `${selector}{${Object.entries(tokens)
      .map(([name, colour]) => `--${name}:${colour}`)
      .join(';')}}`;
  return rule(':root', light) + rule('.dark', dark);
}

function lightTokens(accent: string, colour: Oklch): Tokens {
  const tone = toneOf(colour);
  const soft = firstThat(
    (step) => tone(0.925 + step * 0.005, 0.036),
    (hex) => isReadable(hex, [accent, ...Object.values(TEXTS.light)]),
  );
  // A colour that is almost black gets lighter under the pointer instead.
  const strong = colour.lightness < 0.3 ? Math.max(0.28, colour.lightness + 0.1) : colour.lightness - 0.065;
  return {
    accent,
    'accent-strong': oklchToHex({ ...colour, lightness: strong }),
    'accent-soft': soft,
    'on-accent': LIGHT.onAccent,
    'art-far': tone(0.82, 0.035),
    'art-mid': tone(0.62, 0.062),
    'art-near': tone(0.36, 0.062),
    'art-arc': tone(0.56, 0.065),
  };
}

function darkTokens(colour: Oklch): Tokens {
  const tone = toneOf(colour);
  const soft = firstThat(
    (step) => tone(0.292 - step * 0.005, 0.048),
    (hex) => isReadable(hex, Object.values(TEXTS.dark)),
  );
  const onAccent = tone(0.195, 0.042);
  const chroma = Math.max(colour.chroma, Math.min(0.16, colour.chroma * (0.152 / BUILT_IN_CHROMA)));
  const bright = brightest({ ...colour, chroma });
  const accent = firstThat(
    (step) => oklchToHex({ ...colour, chroma, lightness: bright + step * 0.005 }),
    (hex) => isReadable(hex, [...Object.values(GROUNDS.dark), soft, onAccent]),
  );
  const { lightness } = hexToOklch(accent);
  return {
    accent,
    'accent-strong': oklchToHex({ ...colour, chroma: chroma * 0.82, lightness: lightness + 0.055 }),
    'accent-soft': soft,
    'on-accent': onAccent,
    'art-sky': tone(0.29, 0.034),
    'art-far': tone(0.52, 0.06),
    'art-mid': tone(0.4, 0.055),
    'art-near': tone(0.2, 0.03),
    'art-arc': oklchToHex({ ...colour, chroma: chroma * 0.89, lightness: lightness - 0.065 }),
    'art-line': accent,
  };
}

/** Tones of one hue. Their chroma is told for the built-in accent; a greyer colour has greyer ones. */
function toneOf({ chroma: own, hue }: Oklch) {
  const share = Math.min(1.15, own / BUILT_IN_CHROMA);
  return (lightness: number, chroma: number) => oklchToHex({ lightness, chroma: chroma * share, hue });
}

/**
 * Returns the lightness, of those that shine at night, at which sRGB has most of that chroma; the lightest where it is
 * all the same.
 */
function brightest(colour: Oklch): number {
  const all = Array.from({ length: 15 }, (_, index) => 0.705 + index * 0.01).map((lightness) => ({
    lightness,
    chroma: withinGamut({ ...colour, lightness }).chroma,
  }));
  const most = Math.max(...all.map(({ chroma }) => chroma));
  return all.findLast(({ chroma }) => chroma >= most * 0.97)?.lightness ?? 0.845;
}

function lowestContrast(accent: string): number {
  return Math.min(...Object.values(GROUNDS.light).map((ground) => contrastOf(accent, ground)));
}

function isReadable(hex: string, others: string[]): boolean {
  return others.every((other) => contrastOf(hex, other) >= LEAST_CONTRAST);
}

/** Returns the first of some steps that will do; the last one when none does. */
function firstThat(make: (step: number) => string, isGood: (hex: string) => boolean): string {
  let made = make(0);
  for (let step = 1; step <= 30 && !isGood(made); step++) made = make(step);
  return made;
}
