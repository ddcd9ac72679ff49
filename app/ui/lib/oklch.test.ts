import { expect, test } from 'vitest';
import { contrastRatio, hexToOklch, isHexColour, oklchToHex, withinGamut } from './oklch.ts';

// Reference values of CSS Color 4.
test.each([
  ['#ffffff', 1, 0, 0],
  ['#000000', 0, 0, 0],
  ['#ff0000', 0.628, 0.2577, 29.23],
  ['#00ff00', 0.8664, 0.2948, 142.5],
  ['#0000ff', 0.452, 0.3132, 264.05],
  ['#663399', 0.4403, 0.1603, 303.37],
])('Converts %s to oklch(%f %f %f) and back', (hex, lightness, chroma, hue) => {
  const colour = hexToOklch(hex);
  expect(colour.lightness).toBeCloseTo(lightness, 3);
  expect(colour.chroma).toBeCloseTo(chroma, 3);
  if (chroma > 0) expect(colour.hue).toBeCloseTo(hue, 1);
  expect(oklchToHex(colour)).toBe(hex);
});

test('A colour outside sRGB keeps its lightness and hue', () => {
  const clipped = withinGamut({ lightness: 0.8, chroma: 0.4, hue: 20 });
  expect(clipped).toMatchObject({ lightness: 0.8, hue: 20 });
  expect(clipped.chroma).toBeGreaterThan(0.05);
  const back = hexToOklch(oklchToHex({ lightness: 0.8, chroma: 0.4, hue: 20 }));
  expect(back.lightness).toBeCloseTo(0.8, 2);
  expect(back.hue).toBeCloseTo(20, 0);
});

// Reference values of WCAG.
test.each([
  ['#000000', '#ffffff', 21],
  ['#777777', '#ffffff', 4.48],
  ['#ffffff', '#767676', 4.54],
  ['#ff0000', '#ffffff', 4],
])('%s and %s have a contrast of %f', (first, second, contrast) => {
  expect(contrastRatio(first, second)).toBeCloseTo(contrast, 2);
});

test.each(['#FFFFFF', '#fff', 'ffffff', '#fffffff', '#ffffff\n', 'red'])('Rejects the colour %j', (text) => {
  expect(isHexColour(text)).toBe(false);
});
