// biome-ignore lint/style/noRestrictedImports: tests do not run in the browser
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

type Colour = readonly [lightness: number, chroma: number, hue: number];

const css = readFileSync(new URL('app.css', import.meta.url), 'utf8');
const themes = {
  light: readTokens(':root {', '.dark {'),
  dark: readTokens('\n.dark {', '@theme inline'),
};

/** Text on background, with the contrast that WCAG AA asks for: 4.5, or 3 for borders of controls. */
const pairs = (['canvas', 'surface', 'sunken'] as const).flatMap((ground) => [
  ...['ink', 'muted', 'accent', 'signal', 'danger', 'warning'].map((text) => [text, ground, 4.5] as const),
  ['line-strong', ground, 3] as const,
]);
const filledPairs = [
  ['on-accent', 'accent', 4.5],
  ['on-accent', 'accent-strong', 4.5],
  ['on-danger', 'danger', 4.5],
  ['accent', 'accent-soft', 4.5],
  ['ink', 'accent-soft', 4.5],
  ['muted', 'accent-soft', 4.5],
  ['signal', 'signal-soft', 4.5],
  ['danger', 'danger-soft', 4.5],
  ['warning', 'warning-soft', 4.5],
  ['art-dark', 'art-sun', 4.5],
] as const;

test.for(['light', 'dark'] as const)('Every text of the %s theme is readable on every ground it stands on', (theme) => {
  for (const [text, ground, least] of [...pairs, ...filledPairs]) {
    const contrast = contrastOf(token(theme, text), token(theme, ground));
    expect(contrast, `${text} on ${ground}`).toBeGreaterThanOrEqual(least);
  }
});

function readTokens(from: string, to: string): Map<string, Colour> {
  const block = css.slice(css.indexOf(from), css.indexOf(to));
  const tokens = [...block.matchAll(/--([\w-]+): oklch\(([\d.]+) ([\d.]+) ([\d.]+)\)/g)];
  return new Map(tokens.map(([, name = '', l, c, h]) => [name, [Number(l), Number(c), Number(h)] as const]));
}

function token(theme: 'light' | 'dark', name: string): Colour {
  const colour = themes[theme].get(name);
  if (!colour) throw new Error(`No token --${name} in the ${theme} theme`);
  return colour;
}

function contrastOf(one: Colour, other: Colour): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

/** Relative luminance by way of linear sRGB; the matrices are those of the Oklab definition. */
function luminance([lightness, chroma, hue]: Colour): number {
  const a = chroma * Math.cos((hue * Math.PI) / 180);
  const b = chroma * Math.sin((hue * Math.PI) / 180);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const clamp = (value: number) => Math.min(1, Math.max(0, value));
  const red = clamp(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s);
  const green = clamp(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s);
  const blue = clamp(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
