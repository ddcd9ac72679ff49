import { z } from 'zod';

const MESSAGE = 'Choose a date between the years 1900 and 2999.';

/** Checks the year of a date or time that begins with YYYY-MM-DD, as the database does. Date fields accept year 275760. */
export function isInCalendar(text: string): boolean {
  const year = Number(/^(\d{4})-\d\d-\d\d/.exec(text)?.[1]);
  return year >= 1900 && year <= 2999 && !Number.isNaN(Date.parse(text));
}

/** Field of a date or time; empty for none. */
export const optionalDate = z.string().refine((text) => text === '' || isInCalendar(text), MESSAGE);

/** Field of a date or time that must be filled in. @param message for an empty field */
export function requiredDate(message: string) {
  return z
    .string()
    .min(1, message)
    .refine((text) => text === '' || isInCalendar(text), MESSAGE);
}
