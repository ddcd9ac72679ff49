/**
 * Brand colours are defined in app/settings/brand/brand.ts. Stylesheets and emails repeat them because they cannot
 * import it.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DARK, DARK_ACCENT, LIGHT, MARK } from '../app/settings/brand/brand.ts';
import { oklchToHex } from '../app/ui/lib/oklch.ts';
import { MARK as MAIL_MARK } from '../server/mails/mail-branding.ts';

const root = join(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

/** Returns a token's colour in the light or dark theme as RGB. */
function tokenColour(set: ':root' | '.dark', token: string): string {
  const block = read('app/app.css').split(`\n${set} {`)[1]?.split('\n}')[0] ?? '';
  const [, l, c, h] = new RegExp(`--${token}: oklch\\(([\\d.]+) ([\\d.]+) ([\\d.]+)\\)`).exec(block) ?? [];
  return oklchToHex({ lightness: Number(l), chroma: Number(c), hue: Number(h) });
}

const TOKENS = [
  ...Object.entries(LIGHT).map(([name, colour]) => [':root', name, colour] as const),
  ...Object.entries({ ...DARK, ...DARK_ACCENT }).map(([name, colour]) => ['.dark', name, colour] as const),
];

test.each(TOKENS)("The stylesheet's %s token has the brand's %s colour, %s", (set, name, colour) => {
  const token = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  expect(tokenColour(set, token)).toBe(colour);
});

test.each(globSync('supabase/templates/*.html', { cwd: root }))('%s uses only brand colours', (file) => {
  const colours: readonly string[] = [LIGHT, DARK, DARK_ACCENT].flatMap((set) => Object.values(set));
  const usedColours = read(file).match(/#[0-9a-f]{6}\b/gi) ?? [];
  expect(usedColours.length).toBeGreaterThan(0);
  expect(usedColours.filter((colour) => !colours.includes(colour))).toEqual([]);
});

test('Emails draw the logo in brand colours', () => {
  expect(MAIL_MARK).toEqual({ wave: MARK.wave, light: LIGHT.onAccent, signal: DARK.signal });
});
