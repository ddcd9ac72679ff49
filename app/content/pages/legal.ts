/**
 * Legal pages with a header and a long text. The default texts describe how this software processes data, so change
 * them if you change the processing. {site}, {email} and {retention} are replaced with the settings.
 */
import { z } from 'zod';
import { COOKIES_TEXT } from './legal-cookies.ts';
import { PRIVACY_TEXT } from './legal-privacy.ts';
import { TERMS_TEXT } from './legal-terms.ts';

/** `text` is Markdown. */
export const legalSchema = z.object({ title: z.string(), description: z.string(), text: z.string() });

export type Legal = z.infer<typeof legalSchema>;

export const legalDefaults = {
  privacy: {
    title: 'What we keep, why, and for how long',
    description: 'In short: very little, for a stated purpose, and for a limited time.',
    text: PRIVACY_TEXT,
  },
  terms: {
    title: 'The terms of this website',
    description: 'What you can expect of this site, and what we ask of you.',
    text: TERMS_TEXT,
  },
  cookies: {
    title: 'What this site keeps in your browser',
    description: 'Nothing that tracks you, so there is no cookie banner.',
    text: COOKIES_TEXT,
  },
} satisfies Record<string, Legal>;
