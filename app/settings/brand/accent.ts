/**
 * Derives the accent colour's tokens for both themes. The light theme uses the colour itself. The dark theme uses its
 * hue with adjusted lightness and chroma. Not in the initial bundle, because the server inlines the tokens.
 */

import { contrastRatio, hexToOklch, isHexColour, type Oklch, oklchToHex, withinGamut } from '../../ui/lib/oklch.ts';
import { LIGHT } from './brand.ts';

/** WCAG AA contrast for text. */
export const MIN_CONTRAST = 4.5;

/** Backgrounds behind accent text, and text colours on the soft accent background. Copied from app.css. */
export const BACKGROUNDS = {
  light: { canvas: LIGHT.canvas, surface: LIGHT.surface, sunken: '#f0ece4' },
  dark: { canvas: '#08110e', surface: '#0f1b17', sunken: '#040b08' },
} as const;
export const TEXTS = {
  light: { ink: LIGHT.ink, muted: LIGHT.muted },
  dark: { ink: '#eef2e9', muted: '#a4b3a9' },
} as const;

/** Chroma of the built-in accent. Other tones are scaled relative to it. */
const BUILT_IN_CHROMA = 0.088;

/** Token names without dashes, with #rrggbb colours. */
type Tokens = Record<string, string>;

export interface AccentTokens {
  light: Tokens;
  dark: Tokens;
}

/** Normalises a colour to lower-case #rrggbb, or returns null. */
export function readColour(text: string): string | null {
  const [, digits = ''] = /^\s*#?([0-9a-f]{3}|[0-9a-f]{6})\s*$/i.exec(text) ?? [];
  const sixDigits = digits.length === 3 ? digits.replace(/./g, '$&$&') : digits;
  return sixDigits ? `#${sixDigits.toLowerCase()}` : null;
}

export interface ContrastFailure {
  /** Lowest contrast with any background. */
  contrast: number;
  /** Colour of the same hue with the nearest lightness that passes. */
  nearest: string;
}

/**
 * Returns the contrast of a colour that is too light for text or backgrounds, and the nearest colour that passes. Null
 * if it can be the accent.
 */
export function checkAccentContrast(accent: string): ContrastFailure | null {
  const contrast = lowestContrast(accent);
  if (contrast >= MIN_CONTRAST) return null;
  const colour = hexToOklch(accent);
  let [passing, failing] = [0, colour.lightness];
  while (failing - passing > 1e-4) {
    const lightness = (passing + failing) / 2;
    if (lowestContrast(oklchToHex({ ...colour, lightness })) >= MIN_CONTRAST) passing = lightness;
    else failing = lightness;
  }
  return { contrast, nearest: oklchToHex({ ...colour, lightness: passing }) };
}

/** Returns null for the default accent or an invalid colour. */
export function accentTokens(accent: string): AccentTokens | null {
  if (!isHexColour(accent) || accent === LIGHT.accent || checkAccentContrast(accent)) return null;
  const colour = hexToOklch(accent);
  return { light: lightTokens(accent, colour), dark: darkTokens(colour) };
}

/** Returns the saved colour if it is valid, otherwise the built-in one. */
export function acceptedAccent(accent: string): string {
  return accentTokens(accent)?.light['accent'] ?? LIGHT.accent;
}

/** Returns CSS that overrides the tokens of the stylesheet. It must come after the stylesheet. */
export function accentCss({ light, dark }: AccentTokens): string {
  const rule = (selector: string, tokens: Tokens) =>
    `${selector}{${Object.entries(tokens)
      .map(([name, colour]) => `--${name}:${colour}`)
      .join(';')}}`;
  return rule(':root', light) + rule('.dark', dark);
}

function lightTokens(accent: string, colour: Oklch): Tokens {
  const tone = createToneFunction(colour);
  const soft = firstAcceptable(
    (step) => tone(0.925 + step * 0.005, 0.036),
    (hex) => isReadable(hex, [accent, ...Object.values(TEXTS.light)]),
  );
  // An almost black colour becomes lighter on hover.
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
  const tone = createToneFunction(colour);
  const soft = firstAcceptable(
    (step) => tone(0.292 - step * 0.005, 0.048),
    (hex) => isReadable(hex, Object.values(TEXTS.dark)),
  );
  const onAccent = tone(0.195, 0.042);
  const chroma = Math.max(colour.chroma, Math.min(0.16, colour.chroma * (0.152 / BUILT_IN_CHROMA)));
  const vivid = mostVividLightness({ ...colour, chroma });
  const accent = firstAcceptable(
    (step) => oklchToHex({ ...colour, chroma, lightness: vivid + step * 0.005 }),
    (hex) => isReadable(hex, [...Object.values(BACKGROUNDS.dark), soft, onAccent]),
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

/**
 * Returns a function that creates tones of a hue. Its chroma argument is for the built-in accent and is scaled for
 * other accents.
 */
function createToneFunction({ chroma: accentChroma, hue }: Oklch) {
  const chromaScale = Math.min(1.15, accentChroma / BUILT_IN_CHROMA);
  return (lightness: number, chroma: number) => oklchToHex({ lightness, chroma: chroma * chromaScale, hue });
}

/**
 * Returns the lightness with the highest chroma in sRGB, from the range that suits the dark theme. Prefers lighter
 * values if the chroma is similar.
 */
function mostVividLightness(colour: Oklch): number {
  const candidates = Array.from({ length: 15 }, (_, index) => 0.705 + index * 0.01).map((lightness) => ({
    lightness,
    chroma: withinGamut({ ...colour, lightness }).chroma,
  }));
  const maxChroma = Math.max(...candidates.map(({ chroma }) => chroma));
  return candidates.findLast(({ chroma }) => chroma >= maxChroma * 0.97)?.lightness ?? 0.845;
}

function lowestContrast(accent: string): number {
  return Math.min(...Object.values(BACKGROUNDS.light).map((background) => contrastRatio(accent, background)));
}

function isReadable(hex: string, colours: string[]): boolean {
  return colours.every((colour) => contrastRatio(hex, colour) >= MIN_CONTRAST);
}

/** Returns the colour of the first acceptable step. If none is acceptable, returns the last one. */
function firstAcceptable(colourAt: (step: number) => string, isAcceptable: (hex: string) => boolean): string {
  let candidate = colourAt(0);
  for (let step = 1; step <= 30 && !isAcceptable(candidate); step++) candidate = colourAt(step);
  return candidate;
}
