/** The brand stands in app/lib/brand.ts; stylesheets, mails and icons repeat it and cannot import it. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { DEFAULT_COLOR } from '../app/admin/embed/snippet.ts';
import { DARK, LIGHT } from '../app/lib/brand.ts';
import { iconSvg } from './draw-icons.ts';

const root = join(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

/** The colour of a token in one of the stylesheet's two sets, as a picture shows it. */
function tokenColour(set: ':root' | '.dark', token: string): string {
  const block = read('app/app.css').split(`\n${set} {`)[1]?.split('\n}')[0] ?? '';
  const [, l, c, h] = new RegExp(`--${token}: oklch\\(([\\d.]+) ([\\d.]+) ([\\d.]+)\\)`).exec(block) ?? [];
  return oklchToHex(Number(l), Number(c), (Number(h) * Math.PI) / 180);
}

/** Björn Ottosson's conversion, as CSS Color 4 has it. */
function oklchToHex(lightness: number, chroma: number, hue: number): string {
  const [a, b] = [chroma * Math.cos(hue), chroma * Math.sin(hue)];
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const linear = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
  const gamma = (value: number) => (value <= 0.0031308 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055);
  return `#${linear.map((value) => byteAsHex(gamma(Math.min(1, Math.max(0, value))))).join('')}`;
}

function byteAsHex(share: number): string {
  return Math.round(share * 255)
    .toString(16)
    .padStart(2, '0');
}

const TOKENS = [
  ...Object.entries(LIGHT).map(([name, colour]) => [':root', name, colour] as const),
  ...Object.entries(DARK).map(([name, colour]) => ['.dark', name, colour] as const),
];

test.each(TOKENS)("The stylesheet's %s has the %s of the brand, %s", (set, name, colour) => {
  const token = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  expect(tokenColour(set, token)).toBe(colour);
});

test.each(globSync('supabase/templates/*.html', { cwd: root }))('%s has no colour but those of the brand', (file) => {
  const colours: readonly string[] = Object.values(LIGHT);
  const used = read(file).match(/#[0-9a-f]{6}\b/gi) ?? [];
  expect(used.length).toBeGreaterThan(0);
  expect(used.filter((colour) => !colours.includes(colour))).toEqual([]);
});

test('The chat on other sites has the accent of the brand, unless they choose another', () => {
  expect(DEFAULT_COLOR).toBe(LIGHT.accent);
});

test('The icons are drawn from the brand', async () => {
  expect(read('public/favicon.svg')).toBe(iconSvg(8));
  for (const icon of ['apple-touch-icon.png', 'icon-192.png', 'icon-512.png']) {
    const { data } = await sharp(join(root, 'public', icon))
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect(`#${data.subarray(0, 3).toString('hex')}`, icon).toBe(LIGHT.accent);
  }
});
