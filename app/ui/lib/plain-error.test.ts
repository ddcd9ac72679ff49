import { expect, test } from 'vitest';
import { plainMessage } from './plain-error.ts';

test.for([
  [
    'duplicate key value violates unique constraint "posts_slug_key"',
    'This slug is already in use. Choose another one.',
  ],
  ['duplicate key value violates unique constraint "site_settings_key"', 'An entry with this value already exists.'],
  ['value too long for type character varying(300)', 'A text is too long.'],
  [
    'new row for relation "posts" violates check constraint "posts_title_check"',
    'A value is too long or not allowed here.',
  ],
  ['new row violates row-level security policy for table "posts"', 'You are not allowed to do this.'],
  ['permission denied for table posts', 'You are not allowed to do this.'],
  ['value "99999999999" is out of range for type integer', 'A number is too large.'],
  ['integer out of range', 'A number is too large.'],
  ['date/time field value out of range: "2026-13-45"', 'A date is out of range.'],
  ['timestamp out of range: "300000-01-01"', 'A date is out of range.'],
  ['invalid input syntax for type date: "soon"', 'A date is not valid.'],
  ['invalid input syntax for type uuid: "x"', 'A value is not valid here.'],
  [
    'new row for relation "campaigns" violates check constraint "campaigns_due_on_calendar"',
    'A date must be between the years 1900 and 2999.',
  ],
  ['null value in column "title" of relation "posts" violates not-null constraint', 'A required value is missing.'],
  ['unsupported Unicode escape sequence', 'A text contains a character that cannot be stored.'],
  ['canceling statement due to statement timeout', 'This took too long. Please try again.'],
  ['TypeError: Failed to fetch', 'Please check your connection and try again.'],
  ['NetworkError when attempting to fetch resource.', 'Please check your connection and try again.'],
  ['Load failed', 'Please check your connection and try again.'],
])('Replaces the message "%s"', ([message = '', plain]) => {
  expect(plainMessage(message)).toBe(plain);
});

test('Returns undefined for a message that is already readable', () => {
  expect(plainMessage('Only administrators may approve members.')).toBeUndefined();
});
