/**
 * Faults that people can cause, as Postgres, the authentication service and browsers word them, and as a person reads them. The
 * words decide and not the SQLSTATE alone, because functions of the database raise sentences of their own under the same codes.
 */
const PLAIN_SENTENCES: readonly [words: RegExp, sentence: string][] = [
  [/^duplicate key value violates unique constraint ".*slug/, 'This slug is taken already. Choose another one.'],
  [/^duplicate key value violates unique constraint/, 'There is one like this already.'],
  [/^value too long for type/, 'A text is too long.'],
  [/violates check constraint ".*_calendar"/, 'A date must be between the years 1900 and 2999.'],
  [/violates check constraint/, 'A value is too long or not allowed here.'],
  [/^(date|time).* out of range/, 'A date is outside the calendar.'],
  [/ out of range|^numeric field overflow/, 'A number is too large.'],
  [/^invalid input syntax for type (date|time)/, 'A date is not valid.'],
  [/^invalid input syntax for type|^malformed (array|range) literal/, 'A value is not valid here.'],
  [/^null value in column/, 'A required value is missing.'],
  [/violates foreign key constraint/, 'This belongs to something that was deleted.'],
  [/violates exclusion constraint/, 'This overlaps with another one.'],
  [
    /^(unsupported Unicode escape sequence|invalid byte sequence)/,
    'A text contains a character that cannot be stored.',
  ],
  [/^canceling statement due to/, 'This took too long. Please try again.'],
  [/^(new row violates row-level security|permission denied for )/, 'You are not allowed to do this.'],
  [/^captcha protection: request disallowed/, 'The check was not accepted. Please try again.'],
  [/^captcha verification process failed/, 'The check cannot be completed right now. Please try again in a moment.'],
  // Chromium, Firefox and Safari; supabase-js puts the name of the error in front.
  [
    /^(TypeError: )?(Failed to fetch|NetworkError when attempting|Load failed)/,
    'Please check your connection and try again.',
  ],
];

/** Returns a sentence for an error in words of the database or the browser; undefined for one that people can read. */
export function plainSentence(message: string): string | undefined {
  return PLAIN_SENTENCES.find(([words]) => words.test(message))?.[1];
}
