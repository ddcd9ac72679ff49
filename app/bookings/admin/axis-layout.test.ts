import { expect, test } from 'vitest';
import { axisHours, callSpan, hoursSpan, placeSideBySide } from './axis-layout.ts';

const hours = (starts_at: string, ends_at: string) => hoursSpan({ starts_at, ends_at });

test('The axis covers at least 9:00 to 17:00 and extends to include all weekly hours and calls', () => {
  expect(axisHours([])).toEqual([9, 10, 11, 12, 13, 14, 15, 16]);
  expect(axisHours([hours('08:30', '12:00')])[0]).toBe(8);
  expect(axisHours([hours('09:00', '17:30')]).at(-1)).toBe(17);
  expect(axisHours([hours('09:00', '18:00:00')]).at(-1)).toBe(17);
  expect(axisHours([hours('20:00', '24:00')]).at(-1)).toBe(23);
});

test('Places a call in the time zone of the weekly hours and truncates it at midnight', () => {
  const call = { starts_at: '2026-11-25T08:20:00Z', ends_at: '2026-11-25T08:45:00Z' };
  expect(callSpan(call, 'Europe/Oslo')).toEqual({ from: 560, to: 585 });
  const late = { starts_at: '2026-11-25T22:45:00Z', ends_at: '2026-11-25T23:15:00Z' };
  expect(callSpan(late, 'Europe/Oslo')).toEqual({ from: 1425, to: 1440 });
});

test('Places overlapping calls in separate lanes, and back-to-back calls in the same lane', () => {
  const findLanes = (...spans: [from: number, to: number][]) =>
    placeSideBySide(spans.map(([from, to]) => ({ item: undefined, span: { from, to } }))).map(({ lane, lanes }) => [
      lane,
      lanes,
    ]);
  expect(findLanes([540, 570], [570, 600])).toEqual([
    [0, 1],
    [0, 1],
  ]);
  expect(findLanes([540, 600], [550, 570], [570, 590], [600, 630])).toEqual([
    [0, 2],
    [1, 2],
    [1, 2],
    [0, 1],
  ]);
});
