/**
 * Privacy, terms and cookies: a header with a long text. The built-in texts say what this software does; an owner who
 * changes what it keeps changes them, too. {site}, {email} and {retention} stand for what the settings say.
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
    description: 'The short version: little, for a named purpose, and not for ever.',
    text: PRIVACY_TEXT,
  },
  terms: {
    title: 'The terms of this website',
    description: 'What you may expect of this site, and what we ask of you when you use it.',
    text: TERMS_TEXT,
  },
  cookies: {
    title: 'What this site keeps in your browser',
    description: 'Nothing that follows you around, which is why no banner asks.',
    text: COOKIES_TEXT,
  },
} satisfies Record<string, Legal>;
