/** Schema and validation messages for the brand settings. */
import { z } from 'zod';
import type { Setting } from '../settings.ts';
import { checkAccentContrast, MIN_CONTRAST, readColour } from './accent.ts';
import { LIGHT } from './brand.ts';
import { logoShape, parseLogo, pictureShape } from './logo.ts';

/** Returns the error message for an invalid accent colour, or undefined. */
export function explainAccentError(text: string): string | undefined {
  const colour = readColour(text);
  if (!colour) return 'Enter a colour as six hexadecimal digits, such as #0a6247.';
  const failure = checkAccentContrast(colour);
  if (!failure) return undefined;
  const contrast = (Math.floor(failure.contrast * 10) / 10).toFixed(1);
  return `${colour} is too light. Its contrast with the background of the light theme is ${contrast}:1, and text needs ${MIN_CONTRAST}:1. The nearest colour that passes is ${failure.nearest}.`;
}

const accent = z.string().transform((text, context) => {
  const failure = explainAccentError(text);
  if (failure) context.addIssue(failure);
  return readColour(text) ?? text;
});

const logo = z.string().superRefine((text, context) => {
  if (text !== '' && !parseLogo(text)) context.addIssue('Not saved. Choose a picture that was uploaded to this site.');
});

/** Schema of the form. */
export const brandSchema = z.object({ accent, logo: logoShape.extend({ light: pictureShape.nullable() }) });

export const BRAND_SETTINGS = {
  brand_accent: {
    label: 'Accent colour',
    help: 'Used for buttons, links and drawings. The shades of both themes are derived from it.',
    default: LIGHT.accent,
    input: 'line',
    schema: accent,
    isPublic: true,
  },
  brand_logo: {
    label: 'Logo',
    help: 'Shown on every page, and used for the site icon.',
    default: '',
    input: 'code',
    schema: logo,
    isPublic: true,
  },
} satisfies Record<string, Setting>;
