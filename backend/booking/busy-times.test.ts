import { expect, test } from 'vitest';
import { busyTimes } from './busy-times.ts';

/** A calendar of events of one minute each, from 4 May 2026. */
function calendarOf(count: number, ...more: string[]): string {
  const events = Array.from({ length: count }, (_, at) => {
    const start = new Date(Date.UTC(2026, 4, 4, 0, at)).toISOString().replace(/[-:]|\.\d+/g, '');
    return `BEGIN:VEVENT\r\nUID:${at}\r\nDTSTART:${start}\r\nDURATION:PT1M\r\nEND:VEVENT`;
  });
  return ['BEGIN:VCALENDAR', ...events, ...more, 'END:VCALENDAR', ''].join('\r\n');
}

const DAILY = 'BEGIN:VEVENT\r\nUID:d\r\nDTSTART:20260101T090000Z\r\nDURATION:PT1H\r\nRRULE:FREQ=DAILY\r\nEND:VEVENT';

test('More events than are kept are told as unread, repeated ones too', () => {
  const [from, to] = [new Date('2026-05-01T00:00:00Z'), new Date('2026-06-01T00:00:00Z')];
  expect(busyTimes(calendarOf(5000), from, to)).toMatchObject({ times: { length: 5000 }, unread: 0 });
  expect(busyTimes(calendarOf(5002), from, to)).toMatchObject({ times: { length: 5000 }, unread: 2 });
  expect(busyTimes(calendarOf(5000, DAILY), from, to)).toMatchObject({ times: { length: 5000 }, unread: 1 });
  expect(busyTimes(calendarOf(3, DAILY), from, to)).toMatchObject({ times: { length: 3 + 33 }, unread: 0 });
});
