import { expect, test } from 'vitest';
import { hoursOfAxis } from './hours-of-axis.ts';

const on = (starts_at: string, ends_at: string) => ({ weekday: 1, starts_at, ends_at });

test('The axis is from 9 to 17 at least, and reaches what is offered and booked outside', () => {
  expect(hoursOfAxis([], [])).toEqual([9, 10, 11, 12, 13, 14, 15, 16]);
  expect(hoursOfAxis([on('08:30', '12:00')], [])[0]).toBe(8);
  expect(hoursOfAxis([on('09:00', '17:00')], [19]).at(-1)).toBe(19);
  expect(hoursOfAxis([on('20:00', '24:00')], []).at(-1)).toBe(23);
});

test('Half an hour at the end of a day has its row', () => {
  expect(hoursOfAxis([on('09:00', '17:30')], []).at(-1)).toBe(17);
  expect(hoursOfAxis([on('09:00', '18:00:00')], []).at(-1)).toBe(17);
});
