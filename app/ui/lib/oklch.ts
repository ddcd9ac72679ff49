/** Converts CSS colours between sRGB hex and OKLCH, in which lightness, chroma and hue can be changed separately. */

export interface Oklch {
  /** From 0 (black) to 1 (white). */
  lightness: number;
  chroma: number;
  /** In degrees. Meaningless if the chroma is 0. */
  hue: number;
}

type Triple = [number, number, number];

/** Tolerance for rounding to bytes. */
const GAMUT_TOLERANCE = 1 / 512;

/** True for a lower-case `#rrggbb` colour. */
export function isHexColour(text: string): boolean {
  return /^#[0-9a-f]{6}$/.test(text);
}

/** @param hex #rrggbb */
export function hexToOklch(hex: string): Oklch {
  const [red, green, blue] = linearRgb(hex);
  const l = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
  const m = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
  const s = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
  const a = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s;
  const b = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s;
  return {
    lightness: 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    chroma: Math.hypot(a, b),
    hue: ((Math.atan2(b, a) * 180) / Math.PI + 360) % 360,
  };
}

/** Formats a colour as #rrggbb. Reduces the chroma of colours outside sRGB. */
export function oklchToHex(colour: Oklch): string {
  return `#${toRgb(withinGamut(colour))
    .map((channel) => Math.round(Math.min(1, Math.max(0, channel)) * 255))
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')}`;
}

/** Reduces the chroma to fit sRGB. */
export function withinGamut(colour: Oklch): Oklch {
  if (isInGamut(colour)) return colour;
  let [inGamut, outOfGamut] = [0, colour.chroma];
  while (outOfGamut - inGamut > 1e-4) {
    const chroma = (inGamut + outOfGamut) / 2;
    if (isInGamut({ ...colour, chroma })) inGamut = chroma;
    else outOfGamut = chroma;
  }
  return { ...colour, chroma: inGamut };
}

/** Returns the WCAG 2 contrast ratio of two #rrggbb colours, from 1 to 21. */
export function contrastRatio(first: string, second: string): number {
  const [darker = 0, lighter = 0] = [luminance(first), luminance(second)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

function luminance(hex: string): number {
  const [red, green, blue] = linearRgb(hex);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function linearRgb(hex: string): Triple {
  const linear = (offset: number) => {
    const channel = Number.parseInt(hex.slice(offset, offset + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  };
  return [linear(1), linear(3), linear(5)];
}

/** Björn Ottosson's conversion, as in CSS Color 4. Values below 0 or above 1 are outside sRGB. */
function toRgb({ lightness, chroma, hue }: Oklch): Triple {
  const [a, b] = [chroma * Math.cos((hue * Math.PI) / 180), chroma * Math.sin((hue * Math.PI) / 180)];
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const gamma = (channel: number) => (channel <= 0.0031308 ? 12.92 * channel : 1.055 * channel ** (1 / 2.4) - 0.055);
  return [
    gamma(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    gamma(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    gamma(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ];
}

function isInGamut(colour: Oklch): boolean {
  return toRgb(colour).every((channel) => channel >= -GAMUT_TOLERANCE && channel <= 1 + GAMUT_TOLERANCE);
}
