import { expect, test } from 'vitest';
import { optionalDate, requiredDate } from './calendar-date.ts';

test.each(['1900-01-01', '2026-11-27', '2999-12-31', '2026-11-27T09:30', '2026-11-27T08:30:00.000Z'])(
  'Accepts %s',
  (text) => {
    expect(requiredDate('A date is required').parse(text)).toBe(text);
    expect(optionalDate.parse(text)).toBe(text);
  },
);

test.each([
  '1899-12-31',
  '3000-01-01',
  '275760-09-13',
  '+275760-09-13T00:00',
  '0001-01-01',
  '-000001-01-01',
  'infinity',
  '2026-13-45',
  '2026-02-30',
])('Rejects %s with a message', (text) => {
  for (const field of [optionalDate, requiredDate('A date is required')]) {
    expect(field.safeParse(text).error?.issues[0]?.message).toBe('Choose a date between the years 1900 and 2999.');
  }
});

test('Reports an empty required field with the given message', () => {
  expect(optionalDate.parse('')).toBe('');
  expect(requiredDate('A date is required').safeParse('').error?.issues).toMatchObject([
    { message: 'A date is required' },
  ]);
});
