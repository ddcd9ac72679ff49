/** Form fields shared by several kinds of content, with their error messages and initial values. */
import { z } from 'zod';

const starts = z.registry<{ start: z.$input }>();

/** Sets the initial value of a field for a new item. */
export function startingWith<Field extends z.ZodType>(start: z.input<Field>, field: Field): Field {
  starts.add(field, { start });
  return field;
}

/**
 * Returns the initial values for a new item.
 *
 * @throws Error if a field has no initial value
 */
export function emptyValues<Schema extends z.ZodObject>(schema: Schema): z.input<Schema> {
  const values = Object.entries<z.ZodType>(schema.shape).map(([name, field]) => {
    const meta = starts.get(field);
    if (!meta) throw new Error(`The field ${name} has no initial value: use startingWith(...)`);
    return [name, meta.start];
  });
  return Object.fromEntries(values) as z.input<Schema>;
}

export const draftFirst = startingWith('draft', z.enum(['draft', 'published']));

export const publishedFirst = startingWith('published', z.enum(['draft', 'published']));

export function requiredText(label: string, max = 300) {
  return startingWith('', text(label, max).min(1, `${label} is required`));
}

/** Requires a text for publishing, but not for a draft. The error is reported together with all other errors. */
export function requireToPublish<Schema extends z.ZodObject>(
  schema: Schema,
  field: keyof Schema['shape'] & string,
  label: string,
): Schema {
  return schema.refine((item) => item['status'] !== 'published' || String(item[field] ?? '').trim() !== '', {
    path: [field],
    error: `${label} is required to publish`,
    when: ({ value }) => typeof value === 'object' && value !== null,
  });
}

/** Rejects a published text with a pasted picture that was not uploaded. Items without a status count as published. */
export function rejectMissingPictures<Schema extends z.ZodObject>(
  schema: Schema,
  field: keyof Schema['shape'] & string,
): Schema {
  return schema.superRefine((item, context) => {
    if ('status' in item && item['status'] !== 'published') return;
    const names = missingPictures(String(item[field] ?? ''));
    if (names.length === 0) return;
    const message =
      names.length === 1
        ? `The picture ${names[0]} is missing. Upload it or remove it from the text.`
        : `These pictures are missing: ${names.join(', ')}. Upload them or remove them from the text.`;
    context.addIssue({ code: 'custom', path: [field], message });
  });
}

/** Returns the quoted names of pasted pictures that were not uploaded. Their URL is still a placeholder. */
function missingPictures(markdown: string): string[] {
  const pictures = markdown.matchAll(/!\[((?:[^\]\\]|\\.)*)\]\(#pasted-picture-(\d+)/g);
  const names = [...pictures].map(([, alt = '', number]) => alt.replace(/\\(.)/g, '$1') || `pasted picture ${number}`);
  return [...new Set(names)].map((name) => `“${name}”`);
}

export function optionalText(label: string, max = 300) {
  return startingWith('', text(label, max));
}

function text(label: string, max: number) {
  return z.string().trim().max(max, `${label} must be at most ${max} characters`);
}

/** Creates a field for a long text, which is not trimmed. */
export function longText(label: string, max = 200_000) {
  return startingWith('', z.string().max(max, `${label} must be at most ${max} characters`));
}

/** URL of a picture on this or another site. Empty for no picture. */
export const imageUrl = startingWith(
  '',
  z
    .string()
    .trim()
    .max(2000, 'The address must be at most 2000 characters')
    .refine(
      (value) => value === '' || /^(https?:\/\/|\/(?!\/))\S+$/.test(value),
      'Enter an address that begins with https://',
    ),
);

/** Largest value of an integer column. */
const MAX_ORDER = 2_147_483_647;

/** Whole number. Other input is stored as 0. */
export const displayOrder = startingWith(
  0,
  z
    .union([z.string(), z.number()])
    .transform((value) => Math.trunc(Number(value)) || 0)
    .refine(
      (number) => Math.abs(number) <= MAX_ORDER,
      'Display order must be between -2,147,483,647 and 2,147,483,647',
    ),
);

/** Slug of a public page. If empty, it is generated from the title. */
export const slug = startingWith(
  '',
  z
    .string()
    .trim()
    .max(300, 'Slug must be at most 300 characters')
    .regex(/^[^\s/?#]*$/, 'Slug must have no spaces, slashes, question marks or hash signs'),
);
