import { expect, test } from 'vitest';
import { availabilitySchema, fromForm, toForm } from './availability-schema.ts';

const saved = {
  hours: [{ weekday: 1, starts_at: '18:00', ends_at: '24:00' }],
  time_zone: 'Europe/Oslo',
  notice_minutes: 120,
  days_ahead: 30,
  length_minutes: 30,
  place: '',
};

const refusals = (hours: object[]) =>
  availabilitySchema
    .safeParse({ ...toForm(saved), hours })
    .error?.issues.map(({ path, message }) => [path.join('.'), message]);

test('What is saved comes back as it was, with midnight at the end of a day', () => {
  expect(fromForm(availabilitySchema.parse(toForm(saved)))).toEqual(saved);
});

test('Hours that end before they begin, or overlap on a day, are refused at their fields', () => {
  const morning = { weekday: 1, starts_at: '09:00', ends_at: '12:00' };
  expect(
    refusals([morning, { ...morning, weekday: 2 }, { ...morning, starts_at: '12:00', ends_at: '13:00' }]),
  ).toBeUndefined();
  expect(refusals([morning, { ...morning, starts_at: '11:30' }])).toEqual([
    ['hours.1.starts_at', 'Overlaps other hours.'],
  ]);
  expect(refusals([{ ...morning, ends_at: '09:00' }])).toEqual([['hours.0.ends_at', 'Ends before it begins.']]);
});
