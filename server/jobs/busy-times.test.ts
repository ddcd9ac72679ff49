import { expect, test } from 'vitest';
import { busyTimes } from './busy-times.ts';

/** Returns a calendar with events of one minute each, from 4 May 2026. */
function createCalendar(count: number, ...lines: string[]): string {
  const events = Array.from({ length: count }, (_, index) => {
    const start = new Date(Date.UTC(2026, 4, 4, 0, index)).toISOString().replace(/[-:]|\.\d+/g, '');
    return `BEGIN:VEVENT\r\nUID:${index}\r\nDTSTART:${start}\r\nDURATION:PT1M\r\nEND:VEVENT`;
  });
  return ['BEGIN:VCALENDAR', ...events, ...lines, 'END:VCALENDAR', ''].join('\r\n');
}

const DAILY = 'BEGIN:VEVENT\r\nUID:d\r\nDTSTART:20260101T090000Z\r\nDURATION:PT1H\r\nRRULE:FREQ=DAILY\r\nEND:VEVENT';

test('Events beyond the maximum, including recurring ones, are counted as unreadable', () => {
  const [from, to] = [new Date('2026-05-01T00:00:00Z'), new Date('2026-06-01T00:00:00Z')];
  expect(busyTimes(createCalendar(5000), from, to)).toMatchObject({ times: { length: 5000 }, unreadable: 0 });
  expect(busyTimes(createCalendar(5002), from, to)).toMatchObject({ times: { length: 5000 }, unreadable: 2 });
  expect(busyTimes(createCalendar(5000, DAILY), from, to)).toMatchObject({ times: { length: 5000 }, unreadable: 1 });
  expect(busyTimes(createCalendar(3, DAILY), from, to)).toMatchObject({ times: { length: 3 + 33 }, unreadable: 0 });
});

const [FROM, TO] = [new Date('2026-11-25T00:00:00Z'), new Date('2026-12-24T00:00:00Z')];

function read(event: string, head = '') {
  return busyTimes(
    `BEGIN:VCALENDAR\r\n${head}BEGIN:VEVENT\r\nUID:1\r\n${event}\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n`,
    FROM,
    TO,
  );
}

test.each([
  ['Eastern Standard Time', 'America/New_York'],
  ['W. Europe Standard Time', 'Europe/Berlin'],
  ['"Romance Standard Time"', 'Europe/Paris'],
  ['Europe/Oslo', 'Europe/Oslo'],
  ['/freeassociation.sourceforge.net/Europe/Oslo', 'Europe/Oslo'],
])('The zone %s without a VTIMEZONE is read as %s', (name, zone) => {
  const event = `DTSTART;TZID=${name}:20261201T090000\r\nDTEND;TZID=${name}:20261201T100000`;
  expect(read(event)).toEqual({
    times: [{ uid: '1', starts: '2026-12-01T09:00:00', ends: '2026-12-01T10:00:00', zone }],
    unreadable: 0,
    unknownZones: [],
  });
});

test('An event in an unknown zone is busy in every zone, and the zone is reported', () => {
  const event = 'DTSTART;TZID=Customized Time Zone:20261201T090000\r\nDTEND;TZID=Customized Time Zone:20261201T100000';
  expect(read(event)).toEqual({
    times: [{ uid: '1', starts: '2026-11-30T19:00:00.000Z', ends: '2026-12-01T22:00:00.000Z', zone: null }],
    unreadable: 0,
    unknownZones: ['Customized Time Zone'],
  });
});

test('An event that ends in another zone is busy from its earliest start to its latest end', () => {
  const event = 'DTSTART:20261201T080000Z\r\nDTEND;TZID=Etc/Unknown:20261201T100000';
  expect(read(event)).toMatchObject({
    times: [{ starts: '2026-12-01T08:00:00.000Z', ends: '2026-12-01T22:00:00.000Z', zone: null }],
    unknownZones: ['Etc/Unknown'],
  });
});

test('A floating time is busy in the zone of the calendar and in the zone of the owner', () => {
  const event = 'DTSTART:20261201T090000\r\nDTEND:20261201T100000';
  const times = { uid: '1', starts: '2026-12-01T09:00:00', ends: '2026-12-01T10:00:00' };
  expect(read(event).times).toEqual([{ ...times, zone: '' }]);
  expect(read(event, 'X-WR-TIMEZONE:America/New_York\r\n').times).toEqual([
    { ...times, zone: '' },
    { ...times, zone: 'America/New_York' },
  ]);
  const unknown = read(event, 'X-WR-TIMEZONE:Nowhere\r\n');
  expect(unknown.unknownZones).toEqual(['Nowhere']);
  expect(unknown.times).toHaveLength(2);
});

test.each([
  ['TZID=Europe/Oslo', '20261201T090000', '20261203', 3],
  ['TZID=America/New_York', '20261201T090000', '20261203T090000', 3],
  ['TZID=America/New_York', '20261201T090000', '20261203T085900', 2],
  ['TZID=Europe/Oslo', '20261201T090000', '20261203T075900Z', 2],
  ['VALUE=DATE', '20261201', '20261203', 3],
  ['VALUE=DATE', '20261201', '20261202T230000Z', 3],
])('A rule of %s from %s until %s includes its last day', (parameter, start, until, days) => {
  const zone = `BEGIN:VTIMEZONE\r\nTZID:Europe/Oslo\r\nBEGIN:STANDARD\r\nDTSTART:19700101T000000\r\nTZOFFSETFROM:+0100\r\nTZOFFSETTO:+0100\r\nEND:STANDARD\r\nEND:VTIMEZONE\r\n`;
  const event = `DTSTART;${parameter}:${start}\r\nRRULE:FREQ=DAILY;UNTIL=${until}`;
  expect(read(event, zone).times).toHaveLength(days);
});
