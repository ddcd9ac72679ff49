import { expect, test } from 'vitest';
import { editWeekHours, isOfferedIn } from './edit-week-hours.ts';

const on = (weekday: number, starts_at: string, ends_at: string) => ({ weekday, starts_at, ends_at });
const monday = { firstDay: 1, lastDay: 1 };

test('Adds an area to each of its days and merges it with adjacent hours', () => {
  expect(editWeekHours([], { firstDay: 1, lastDay: 2, from: 540, to: 720 }, true)).toEqual([
    on(1, '09:00', '12:00'),
    on(2, '09:00', '12:00'),
  ]);
  const hours = [on(1, '09:15', '11:00'), on(1, '13:00', '16:00'), on(3, '08:00', '09:00')];
  expect(editWeekHours(hours, { ...monday, from: 660, to: 780 }, true)).toEqual([
    on(3, '08:00', '09:00'),
    on(1, '09:15', '16:00'),
  ]);
});

test('Removing an area splits the hours or deletes them', () => {
  const hours = [on(1, '09:00', '16:00')];
  expect(editWeekHours(hours, { ...monday, from: 720, to: 780 }, false)).toEqual([
    on(1, '09:00', '12:00'),
    on(1, '13:00', '16:00'),
  ]);
  expect(editWeekHours(hours, { ...monday, from: 0, to: 1440 }, false)).toEqual([]);
});

test('Treats 00:00 as the end of the day and keeps incomplete hours', () => {
  expect(editWeekHours([on(1, '', '')], { ...monday, from: 1320, to: 1440 }, true)).toEqual([
    on(1, '', ''),
    on(1, '22:00', '00:00'),
  ]);
  expect(isOfferedIn([on(1, '22:00', '00:00')], 1, 1410, 1440)).toBe(true);
  expect(isOfferedIn([on(1, '22:00', '00:00')], 2, 1410, 1440)).toBe(false);
  expect(isOfferedIn([on(1, '', '10:00')], 1, 0, 1440)).toBe(false);
});
