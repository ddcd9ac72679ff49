// biome-ignore lint/style/noRestrictedImports: tests do not run in the browser
import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  accentCss,
  accentTokens,
  BACKGROUNDS,
  checkAccentContrast,
  MIN_CONTRAST,
  TEXTS,
} from './settings/brand/accent.ts';
import { ART, LIGHT } from './settings/brand/brand.ts';
import { contrastRatio as contrastOfHex, hexToOklch, oklchToHex } from './ui/lib/oklch.ts';
import { seededRandom } from './ui/lib/seeded-random.ts';

type Colour = readonly [lightness: number, chroma: number, hue: number];

const css = readFileSync(new URL('app.css', import.meta.url), 'utf8');
const themes = {
  light: readTokens(':root {', '.dark {'),
  dark: readTokens('\n.dark {', '@theme inline'),
};

const moreContrast = {
  light: readTokens('@media (prefers-contrast: more) {', '\n  .dark {'),
  dark: readTokens('\n  .dark {', '/* 1200 px grid'),
};

/** Text on background, with the contrast required by WCAG AA: 4.5, or 3 for borders of controls. */
const pairs = (['canvas', 'surface', 'sunken'] as const).flatMap((background) => [
  ...['ink', 'muted', 'accent', 'signal', 'danger', 'warning'].map((text) => [text, background, 4.5] as const),
  ['line-strong', background, 3] as const,
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

test.for(['light', 'dark'] as const)('Text in the %s theme has enough contrast on all backgrounds', (theme) => {
  for (const [text, background, minContrast] of [...pairs, ...filledPairs]) {
    const contrast = contrastOf(token(theme, text), token(theme, background));
    expect(contrast, `${text} on ${background}`).toBeGreaterThanOrEqual(minContrast);
  }
});

test.for(['light', 'dark'] as const)(
  'With prefers-contrast, muted text in the %s theme has a contrast of 7:1 and lines have 3:1',
  (theme) => {
    const tokens = new Map([...themes[theme], ...moreContrast[theme]]);
    const contrast = (first: string, second: string) => contrastOf(tokenIn(tokens, first), tokenIn(tokens, second));
    for (const background of ['canvas', 'surface', 'sunken']) {
      expect(contrast('muted', background), `muted on ${background}`).toBeGreaterThanOrEqual(7);
      expect(contrast('line', background), `line on ${background}`).toBeGreaterThanOrEqual(3);
      expect(contrast('line-strong', background), `line-strong on ${background}`).toBeGreaterThanOrEqual(4.5);
    }
    expect(contrast('muted', 'accent-soft')).toBeGreaterThanOrEqual(7);
  },
);

/** Returns a grid of colours, all greys, and seeded random colours. */
function manyColours(): string[] {
  const random = seededRandom('accents');
  const byte = (value: number) => Math.round(value).toString(16).padStart(2, '0');
  const steps = [0, 51, 102, 153, 204, 255];
  const grid = steps.flatMap((red) => steps.flatMap((green) => steps.map((blue) => [red, green, blue])));
  const greys = Array.from({ length: 256 }, (_, grey) => [grey, grey, grey]);
  const randomColours = Array.from({ length: 5000 }, () => [random() * 255, random() * 255, random() * 255]);
  return [...grid, ...greys, ...randomColours].map((rgb) => `#${rgb.map(byte).join('')}`);
}

const builtIn = (['light', 'dark'] as const).map((theme) => {
  const entries = [...themes[theme]].map(([name, [lightness, chroma, hue]]) => [
    name,
    oklchToHex({ lightness, chroma, hue }),
  ]);
  return [theme, Object.fromEntries(entries) as Record<string, string>] as const;
});

test('All texts have enough contrast in both themes for every accepted accent colour', () => {
  const accepted = manyColours().filter((colour) => !checkAccentContrast(colour));
  expect(accepted.length).toBeGreaterThan(1500);
  const failing: string[] = [];
  for (const accent of accepted) {
    const tokens = accentTokens(accent) ?? { light: {}, dark: {} };
    for (const [theme, builtInTokens] of builtIn) {
      const all: Record<string, string> = { ...builtInTokens, ...tokens[theme] };
      for (const [text, background, minContrast] of [...pairs, ...filledPairs]) {
        const contrast = contrastOfHex(all[text] ?? '', all[background] ?? '');
        if (!(contrast >= minContrast)) failing.push(`${accent}: ${text} on ${background} of ${theme} has ${contrast}`);
      }
    }
  }
  expect(failing).toEqual([]);
});

test('For every rejected accent colour, the suggested nearest colour is accepted', () => {
  const invalid = manyColours().flatMap((colour) => checkAccentContrast(colour) ?? []);
  expect(invalid.length).toBeGreaterThan(1500);
  expect(invalid.filter(({ nearest, contrast }) => contrast >= MIN_CONTRAST || checkAccentContrast(nearest))).toEqual(
    [],
  );
  const yellow = checkAccentContrast('#ffd400');
  expect(yellow?.contrast).toBeLessThan(1.5);
  expect(hexToOklch(yellow?.nearest ?? '').hue).toBeCloseTo(hexToOklch('#ffd400').hue, -1);
  // A lighter colour would be rejected.
  expect(contrastOfHex(yellow?.nearest ?? '', BACKGROUNDS.light.sunken)).toBeLessThan(MIN_CONTRAST + 0.1);
});

test('The default accent, rejected colours and invalid colours do not change the stylesheet', () => {
  for (const accent of [LIGHT.accent, '#ffd400', '', 'red', '#FF0000', '#fff;}*{'])
    expect(accentTokens(accent)).toBeNull();
});

test('The accent CSS sets only tokens of the stylesheet, for each theme', () => {
  const css = accentCss(accentTokens('#c8102e') ?? { light: {}, dark: {} });
  expect(css).toMatch(/^:root\{(--[a-z-]+:#[0-9a-f]{6};?)+\}\.dark\{(--[a-z-]+:#[0-9a-f]{6};?)+\}$/);
  for (const [, name = ''] of css.matchAll(/--([a-z-]+):/g)) expect([...themes.light.keys()]).toContain(name);
  // Both rules have the same specificity and set the same tokens. The dark one is last.
  const names = (rule = '') => [...rule.matchAll(/--([a-z-]+):/g)].map(([, name]) => name);
  const [light, dark] = css.split('.dark');
  expect(names(dark)).toEqual(expect.arrayContaining(names(light)));
});

test.each(builtIn)('The background and text colours in accent.ts equal the tokens of the %s theme', (theme, tokens) => {
  for (const [name, colour] of Object.entries({ ...BACKGROUNDS[theme], ...TEXTS[theme] })) {
    expect(tokens[name], name).toBe(colour);
  }
});

function readTokens(from: string, to: string): Map<string, Colour> {
  const block = css.slice(css.indexOf(from), css.indexOf(to));
  const tokens = [...block.matchAll(/--([\w-]+): oklch\(([\d.]+) ([\d.]+) ([\d.]+)\)/g)];
  return new Map(tokens.map(([, name = '', l, c, h]) => [name, [Number(l), Number(c), Number(h)] as const]));
}

function token(theme: 'light' | 'dark', name: string): Colour {
  return tokenIn(themes[theme], name);
}

function tokenIn(tokens: ReadonlyMap<string, Colour>, name: string): Colour {
  const colour = tokens.get(name);
  if (!colour) throw new Error(`No token --${name}`);
  return colour;
}

function contrastOf(first: Colour, second: Colour): number {
  const [darker = 0, lighter = 0] = [luminance(first), luminance(second)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

/** Returns the relative luminance from linear sRGB, with the matrices of the Oklab definition. */
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

test('Link preview images use the cover colours of the light theme', () => {
  for (const [role, hex] of Object.entries(ART)) {
    const [lightness, chroma, hue] = token('light', `art-${role}`);
    expect(hex, role).toBe(oklchToHex({ lightness, chroma, hue }));
  }
});

/** Values of these utilities that are neither colours nor radii. */
const OTHER_VALUES: Readonly<Record<string, string[]>> = {
  bg: ['transparent', 'current', 'cover', 'center', 'clip-text', 'no-repeat', 'none'],
  rounded: ['full', 'none', 'inherit'],
};

test('Background and radius classes use existing tokens, because Tailwind silently ignores unknown ones', () => {
  const theme = css.slice(css.indexOf('@theme inline'));
  const unknown: string[] = [];
  for (const file of globSync('**/*.tsx', { cwd: import.meta.dirname })) {
    const source = readFileSync(new URL(file, import.meta.url), 'utf8');
    for (const [name, kind, value] of source.matchAll(
      /(?<=[\s'"`:])(bg|rounded)(?:-[trblse]{1,2}(?=-))?-([a-z][a-z-]*)(?=[\s'"`/]|$)/g,
    )) {
      const token = `--${kind === 'bg' ? 'color' : 'radius'}-${value}:`;
      if (!OTHER_VALUES[kind ?? '']?.includes(value ?? '') && !theme.includes(token)) unknown.push(`${file}: ${name}`);
    }
  }
  expect(unknown).toEqual([]);
});
