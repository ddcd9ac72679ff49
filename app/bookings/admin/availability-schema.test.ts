import { expect, test } from 'vitest';
import { availabilitySchema, copyHours, fromForm, nextHours, PRESETS, toForm } from './availability-schema.ts';

const saved = {
  hours: [{ weekday: 1, starts_at: '18:00', ends_at: '24:00' }],
  time_zone: 'Europe/Oslo',
  notice_minutes: 120,
  days_ahead: 30,
  length_minutes: 30,
  place: '',
};

const findIssues = (hours: object[]) =>
  availabilitySchema
    .safeParse({ ...toForm(saved), hours })
    .error?.issues.map(({ path, message }) => [path.join('.'), message]);

test('Converts saved hours to form values and back without changes, including an end at midnight', () => {
  expect(fromForm(availabilitySchema.parse(toForm(saved)))).toEqual(saved);
});

test('Rejects overlapping hours and hours that end before they begin, with an error at the field', () => {
  const morning = { weekday: 1, starts_at: '09:00', ends_at: '12:00' };
  expect(
    findIssues([morning, { ...morning, weekday: 2 }, { ...morning, starts_at: '12:00', ends_at: '13:00' }]),
  ).toBeUndefined();
  expect(findIssues([morning, { ...morning, starts_at: '11:30' }])).toEqual([
    ['hours.1.starts_at', 'These hours overlap others on this day.'],
  ]);
  expect(findIssues([{ ...morning, ends_at: '09:00' }])).toEqual([
    ['hours.0.ends_at', 'The end must be later than the start.'],
  ]);
});

test('All templates are valid weeks', () => {
  for (const { hours } of PRESETS) expect(findIssues(hours)).toBeUndefined();
});

test('Copying a day’s hours replaces the hours of the target days', () => {
  const monday = [
    { weekday: 1, starts_at: '09:00', ends_at: '12:00' },
    { weekday: 1, starts_at: '13:00', ends_at: '16:00' },
  ];
  const tuesday = { weekday: 2, starts_at: '10:00', ends_at: '11:00' };
  const saturday = { weekday: 6, starts_at: '10:00', ends_at: '11:00' };
  expect(copyHours([...monday, tuesday, saturday], 1, [1, 2, 3])).toEqual([
    ...monday,
    saturday,
    ...monday.map((range) => ({ ...range, weekday: 2 })),
    ...monday.map((range) => ({ ...range, weekday: 3 })),
  ]);
});

test('Added hours begin after a break and do not overlap', () => {
  const hours = [nextHours(1, [])];
  for (let count = 0; count < 3; count++) hours.push(nextHours(1, hours));
  expect(hours.map(({ starts_at, ends_at }) => `${starts_at} ${ends_at}`)).toEqual([
    '09:00 12:00',
    '13:00 16:00',
    '17:00 20:00',
    '21:00 00:00',
  ]);
  expect(findIssues(hours)).toBeUndefined();
});
