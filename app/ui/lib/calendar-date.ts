import { z } from 'zod';

const MESSAGE = 'Choose a date between the years 1900 and 2999.';

/**
 * Validates the date at the start of a text (YYYY-MM-DD) by the rules of the database. Date inputs accept the year
 * 275760, and JavaScript parses 30 February as 2 March.
 */
export function isInCalendar(text: string): boolean {
  const [day = '', year] = /^(\d{4})-\d\d-\d\d/.exec(text) ?? [];
  if (Number.isNaN(Date.parse(text)) || Number.isNaN(Date.parse(day))) return false;
  return Number(year) >= 1900 && Number(year) <= 2999 && new Date(day).toISOString().startsWith(day);
}

/** Optional date or time field. */
export const optionalDate = z.string().refine((text) => text === '' || isInCalendar(text), MESSAGE);

/**
 * Required date or time field.
 * @param message for an empty field
 */
export function requiredDate(message: string) {
  return z
    .string()
    .min(1, message)
    .refine((text) => text === '' || isInCalendar(text), MESSAGE);
}
