/**
 * User-friendly messages for errors from Postgres, the authentication service and browsers. Errors are matched by text as
 * well as SQLSTATE, because our SQL functions use the same codes for their own messages.
 */
const PLAIN_MESSAGES: readonly [pattern: RegExp, message: string][] = [
  [/^duplicate key value violates unique constraint ".*slug/, 'This slug is already in use. Choose another one.'],
  [/^duplicate key value violates unique constraint/, 'An entry with this value already exists.'],
  [/^value too long for type/, 'A text is too long.'],
  [/violates check constraint ".*_calendar"/, 'A date must be between the years 1900 and 2999.'],
  [/violates check constraint/, 'A value is too long or not allowed here.'],
  [/^(date|time).* out of range/, 'A date is out of range.'],
  [/ out of range|^numeric field overflow/, 'A number is too large.'],
  [/^invalid input syntax for type (date|time)/, 'A date is not valid.'],
  [/^invalid input syntax for type|^malformed (array|range) literal/, 'A value is not valid here.'],
  [/^null value in column/, 'A required value is missing.'],
  [/violates foreign key constraint/, 'This entry belongs to an item that has been deleted.'],
  [/violates exclusion constraint/, 'This overlaps with an existing entry.'],
  [
    /^(unsupported Unicode escape sequence|invalid byte sequence)/,
    'A text contains a character that cannot be stored.',
  ],
  [/^canceling statement due to/, 'This took too long. Please try again.'],
  [/^(new row violates row-level security|permission denied for )/, 'You are not allowed to do this.'],
  [/^captcha protection: request disallowed/, 'The check was not accepted. Please try again.'],
  [/^captcha verification process failed/, 'The check is not available right now. Please try again in a moment.'],
  // Chromium, Firefox and Safari. supabase-js prefixes the error name.
  [
    /^(TypeError: )?(Failed to fetch|NetworkError when attempting|Load failed)/,
    'Please check your connection and try again.',
  ],
];

/** Friendly message for a technical error. Undefined if the message is already readable. */
export function plainMessage(message: string): string | undefined {
  return PLAIN_MESSAGES.find(([pattern]) => pattern.test(message))?.[1];
}
