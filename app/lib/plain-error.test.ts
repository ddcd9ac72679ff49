import { expect, test } from 'vitest';
import { plainSentence } from './plain-error.ts';

test.for([
  [
    'duplicate key value violates unique constraint "posts_slug_key"',
    'This slug is taken already. Choose another one.',
  ],
  ['duplicate key value violates unique constraint "site_settings_key"', 'There is one like this already.'],
  ['value too long for type character varying(300)', 'A text is too long.'],
  [
    'new row for relation "posts" violates check constraint "posts_title_check"',
    'A value is too long or not allowed here.',
  ],
  ['new row violates row-level security policy for table "posts"', 'You are not allowed to do this.'],
  ['permission denied for table posts', 'You are not allowed to do this.'],
  ['TypeError: Failed to fetch', 'Please check your connection and try again.'],
  ['NetworkError when attempting to fetch resource.', 'Please check your connection and try again.'],
  ['Load failed', 'Please check your connection and try again.'],
])('%s', ([message = '', sentence]) => {
  expect(plainSentence(message)).toBe(sentence);
});

test('A sentence that the backend wrote for people stays as it is', () => {
  expect(plainSentence('Only administrators may approve members.')).toBeUndefined();
});
