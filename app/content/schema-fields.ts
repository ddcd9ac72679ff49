/** Form fields that several kinds of content share, with their messages and with what they start with in a new form. */
import { z } from 'zod';

const starts = z.registry<{ start: z.$input }>();

/** Names what a field starts with in the form of a new item. */
export function startingWith<Field extends z.ZodType>(start: z.input<Field>, field: Field): Field {
  starts.add(field, { start });
  return field;
}

/** Returns the first values of a new item's form. @throws Error for a field that does not say its own */
export function emptyValues<Schema extends z.ZodObject>(schema: Schema): z.input<Schema> {
  const values = Object.entries<z.ZodType>(schema.shape).map(([name, field]) => {
    const meta = starts.get(field);
    if (!meta) throw new Error(`The field ${name} needs a start: startingWith(...)`);
    return [name, meta.start];
  });
  return Object.fromEntries(values) as z.input<Schema>;
}

export const draftFirst = startingWith('draft', z.enum(['draft', 'published']));

export const publishedFirst = startingWith('published', z.enum(['draft', 'published']));

export function requiredText(label: string, max = 300) {
  return startingWith('', text(label, max).min(1, `${label} is required`));
}

/** Requires a text that a draft may lack. It is told together with what else is wrong, as with any required field. */
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

export function optionalText(label: string, max = 300) {
  return startingWith('', text(label, max));
}

function text(label: string, max: number) {
  return z.string().trim().max(max, `${label} must be at most ${max} characters`);
}

/** Makes the field of a long text, kept as typed. */
export function longText(label: string, max = 200_000) {
  return startingWith('', z.string().max(max, `${label} must be at most ${max} characters`));
}

/** Address of a picture: on this site, or on the web. Empty: none. */
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

/** A whole number; what is not a number counts as 0. */
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

/** Empty is allowed: the slug is then made from the title. */
export const slug = startingWith(
  '',
  z
    .string()
    .trim()
    .max(300, 'Slug must be at most 300 characters')
    .regex(/^[^\s/?#]*$/, 'Slug must have no spaces, slashes, question marks or hash signs'),
);
