/** The rules for saving the owner's brand. Not a card of the settings: the screen is app/admin/brand. */
import { z } from 'zod';
import type { Setting } from '../settings.ts';
import { LEAST_CONTRAST, readColour, refusalOfAccent } from './accent.ts';
import { LIGHT } from './brand.ts';
import { logoShape, parseLogo, pictureShape } from './logo.ts';

/** Says why a text cannot be the accent colour; undefined when it can. */
export function explainAccentRefusal(text: string): string | undefined {
  const colour = readColour(text);
  if (!colour) return 'Enter a colour as six hexadecimal digits: #0a6247.';
  const refusal = refusalOfAccent(colour);
  if (!refusal) return undefined;
  const contrast = (Math.floor(refusal.contrast * 10) / 10).toFixed(1);
  return `${colour} is too light: its contrast to the paper of the light theme is ${contrast}:1, and text needs ${LEAST_CONTRAST}:1. The nearest colour that passes is ${refusal.nearest}.`;
}

const accent = z.string().transform((text, context) => {
  const refusal = explainAccentRefusal(text);
  if (refusal) context.addIssue(refusal);
  return readColour(text) ?? text;
});

const logo = z.string().superRefine((text, context) => {
  if (text !== '' && !parseLogo(text)) context.addIssue('Not saved, because this is not a picture of this site.');
});

/** The form of both. */
export const brandSchema = z.object({ accent, logo: logoShape.extend({ light: pictureShape.nullable() }) });

export const BRAND_SETTINGS = {
  brand_accent: {
    label: 'Accent colour',
    help: 'Of buttons, links and drawings. The tones of both themes are made from it.',
    default: LIGHT.accent,
    input: 'line',
    schema: accent,
    isPublic: true,
  },
  brand_logo: {
    label: 'Logo',
    help: 'On every page, and the small icon of the site.',
    default: '',
    input: 'code',
    schema: logo,
    isPublic: true,
  },
} satisfies Record<string, Setting>;
