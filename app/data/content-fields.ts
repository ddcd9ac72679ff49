/** Form fields that several kinds of content share, with their messages. */
import { z } from 'zod';

export const status = z.enum(['draft', 'published']);

export function requiredText(label: string, max = 300) {
  return optionalText(label, max).min(1, `${label} is required`);
}

export function optionalText(label: string, max = 300) {
  return z.string().trim().max(max, `${label} must be at most ${max} characters`);
}

/** A long text, kept as typed. */
export function longText(label: string, max = 200_000) {
  return z.string().max(max, `${label} must be at most ${max} characters`);
}

/** Address of a picture: on this site, or on the web. Empty: none. */
export const imageUrl = z
  .string()
  .trim()
  .max(2000, 'The address must be at most 2000 characters')
  .refine(
    (value) => value === '' || /^(https?:\/\/|\/(?!\/))\S+$/.test(value),
    'Enter an address that begins with https://',
  );

/** A whole number; what is not a number counts as 0. */
export const displayOrder = z.union([z.string(), z.number()]).transform((value) => {
  const number = Math.trunc(Number(value));
  return Number.isSafeInteger(number) ? number : 0;
});

/** Empty is allowed: the slug is then made from the title. */
export const slug = z
  .string()
  .trim()
  .max(300, 'Slug must be at most 300 characters')
  .regex(/^[^\s/?#]*$/, 'Slug must have no spaces, slashes, question marks or hash signs');
