import { z } from 'zod';

const MESSAGE = 'Choose a date between the years 1900 and 2999.';

/**
 * Checks a date or time that begins with YYYY-MM-DD as the database does. Date fields accept year 275760, and JavaScript
 * reads 30 February as 2 March.
 */
export function isInCalendar(text: string): boolean {
  const [day = '', year] = /^(\d{4})-\d\d-\d\d/.exec(text) ?? [];
  if (Number.isNaN(Date.parse(text)) || Number.isNaN(Date.parse(day))) return false;
  return Number(year) >= 1900 && Number(year) <= 2999 && new Date(day).toISOString().startsWith(day);
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
