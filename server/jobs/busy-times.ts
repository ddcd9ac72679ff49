/**
 * Reads busy times from a calendar (RFC 5545). Runs in a worker thread, because a malicious recurrence rule may never
 * end.
 */
import ICAL from 'ical.js';
import { ianaZone } from './calendar-zones.ts';

export interface BusyTime {
  uid: string;
  /** ISO 8601, with an offset if `zone` is null, otherwise local time. */
  starts: string;
  ends: string;
  /** IANA name of the zone. Null for an absolute time, '' for a floating time. */
  zone: string | null;
}

/**
 * Maximum number of events, enough for a very busy year. Further events are counted as unreadable.
 */
const MAX_TIMES = 5000;

export interface BusyCalendar {
  times: BusyTime[];
  /** Number of components that were skipped. */
  unreadable: number;
  /** Unknown time zones. A time in one of them is marked busy for every UTC offset, which blocks more than a day. */
  unknownZones: string[];
}

/**
 * Returns the busy times that overlap [from, to), with recurring events expanded. Cancelled and transparent ('free')
 * events are skipped. Ambiguous times count as busy. For example, events with the same UID all
 * count.
 * @throws Error if the calendar is invalid, truncated or contains no readable component
 */
export function busyTimes(text: string, from: Date, to: Date): BusyCalendar {
  const timesByKey = new Map<string, BusyTime>();
  const zones = readZones(text);
  const [first, last] = [from.getTime() - DAY_MS, to.getTime() + DAY_MS];
  const add: AddTime = (component, start, end) => {
    if (!isBusy(component)) return;
    const [startMs, endMs] = [start.toJSDate().getTime(), end.toJSDate().getTime()];
    if (Number.isNaN(startMs + endMs)) throw new Error('invalid date or time');
    // Allow a margin of one day, because local times are converted to absolute times later.
    if (endMs < first || startMs > last) return;
    for (const range of findRanges(component, start, end, zones)) {
      if (timesByKey.size >= MAX_TIMES) throw new Error(`more than ${MAX_TIMES} busy times`);
      const time = { uid: String(component.getFirstPropertyValue('uid') ?? ''), ...range };
      timesByKey.set(JSON.stringify(time), time);
    }
  };

  const parts = splitCalendar(text);
  const components: ICAL.Component[] = [];
  let unreadable = readEach(parts, (part) => components.push(parseComponent(part)));
  const componentsNamed = (name: string) => components.filter((component) => component.name === name);
  unreadable += readEach(componentsNamed('vtimezone'), (zone) => ICAL.TimezoneService.register(zone));
  unreadable += readEach(componentsNamed('vfreebusy'), (component) => addFreeBusy(component, add));
  const events = componentsNamed('vevent').map((component) => new ICAL.Event(component));
  const exceptions: ICAL.Event[] = [];
  unreadable += readEach(events.filter(isException), (event) => {
    add(event.component, event.startDate, event.endDate);
    exceptions.push(event);
  });
  const exceptionsOf = Map.groupBy(exceptions, ({ uid }) => uid);
  unreadable += readEach(events, (event) => {
    if (isException(event)) return;
    extendLastDay(event);
    if (!event.isRecurring()) return add(event.component, event.startDate, event.endDate);
    if (event.uid) for (const exception of exceptionsOf.get(event.uid) ?? []) event.relateException(exception);
    addRepetitions(event, add, (start) => start.toJSDate().getTime() <= last);
  });
  if (parts.length > 0 && unreadable >= parts.length) throw new Error('no readable events');
  return { times: [...timesByKey.values()], unreadable, unknownZones: [...zones.unknown] };
}

const DAY_MS = 24 * 60 * 60 * 1000;

type AddTime = (component: ICAL.Component, start: ICAL.Time, end: ICAL.Time) => void;

/** Returns the events, free-busy times and time zones unparsed, so that an invalid line affects only its component. */
function splitCalendar(text: string): string[] {
  const [head = '', ...parts] = text.split(/^(?=BEGIN:(?:VEVENT|VFREEBUSY|VTIMEZONE)\s*$)/im);
  // A truncated file would lack busy times at its end.
  if (!/^\s*BEGIN:VCALENDAR\s/i.test(head) || !/^END:VCALENDAR\s*$/im.test(parts.at(-1) ?? head)) {
    throw new Error('not a calendar');
  }
  return parts;
}

function parseComponent(part: string): ICAL.Component {
  const name = /^BEGIN:(\w+)/i.exec(part)?.[1] ?? '';
  const end = new RegExp(`^END:${name}\\s*?$`, 'im').exec(part);
  return new ICAL.Component(ICAL.parse(end ? part.slice(0, end.index + end[0].length) : ''));
}

/** Calls `read` for each item. @returns the number of failures */
function readEach<Item>(items: Item[], read: (item: Item) => void): number {
  let failures = 0;
  for (const item of items) {
    try {
      read(item);
    } catch {
      failures += 1;
    }
  }
  return failures;
}

function isException(event: ICAL.Event): boolean {
  return event.isRecurrenceException();
}

function addFreeBusy(component: ICAL.Component, add: AddTime): void {
  for (const property of component.getAllProperties('freebusy')) {
    if (property.getParameter('fbtype') === 'FREE') continue;
    for (const { start, end } of readPeriods(property)) add(component, start, end);
  }
}

function addRepetitions(event: ICAL.Event, add: AddTime, isInRange: (start: ICAL.Time) => boolean): void {
  const { component, startDate } = event;
  const addFrom = (start: ICAL.Time) => {
    const occurrence = event.getOccurrenceDetails(start);
    add(occurrence.item.component, occurrence.startDate, occurrence.endDate);
  };
  // The library repeats RDATEs as days only, and omits a first occurrence that is not in a rule.
  for (const property of component.getAllProperties('rdate')) {
    if (property.type !== 'period') continue;
    for (const { start, end } of readPeriods(property)) add(component, start, end);
    component.removeProperty(property);
  }
  const excluded = component.getAllProperties('exdate').flatMap((property) => property.getValues());
  const excludesFirst = (day: unknown) =>
    day instanceof ICAL.Time &&
    (day.isDate ? `${startDate}`.startsWith(`${day}`) : day.toUnixTime() === startDate.toUnixTime());
  if (!excluded.some(excludesFirst)) addFrom(startDate);
  const starts = event.iterator();
  for (let start = starts.next(); start && isInRange(start); start = starts.next()) addFrom(start);
}

function readPeriods(property: ICAL.Property): { start: ICAL.Time; end: ICAL.Time }[] {
  return property
    .getValues()
    .filter((value) => value instanceof ICAL.Period)
    .map((period) => ({ start: period.start, end: period.getEnd() }));
}

function isBusy(component: ICAL.Component): boolean {
  const property = (name: string) => String(component.getFirstPropertyValue(name) ?? '').toUpperCase();
  return property('transp') !== 'TRANSPARENT' && property('status') !== 'CANCELLED';
}

interface Zones {
  /** Zone of the calendar (X-WR-TIMEZONE), or null. */
  calendarZone: string | null;
  unknown: Set<string>;
}

function readZones(text: string): Zones {
  return { calendarZone: /^X-WR-TIMEZONE(?:;[^:\n]*)?:([^\n]*)/im.exec(text)?.[1]?.trim() || null, unknown: new Set() };
}

/**
 * Returns the possible times of an event. A floating time counts both in the owner's zone and in the calendar's zone.
 */
function findRanges(
  component: ICAL.Component,
  start: ICAL.Time,
  end: ICAL.Time,
  zones: Zones,
): Omit<BusyTime, 'uid'>[] {
  const startZone = component.getFirstProperty('dtstart')?.getParameter('tzid');
  const endZone = component.getFirstProperty('dtend')?.getParameter('tzid') ?? startZone;
  const [first, last] = [findZone(start, startZone, zones), findZone(end, endZone, zones)];
  if (first !== last || first === UNKNOWN) {
    return [
      {
        starts: toAbsoluteTime(start, first, -MAX_EAST_OFFSET_MS),
        ends: toAbsoluteTime(end, last, MAX_WEST_OFFSET_MS),
        zone: null,
      },
    ];
  }
  if (first === null)
    return [{ starts: start.toJSDate().toISOString(), ends: end.toJSDate().toISOString(), zone: null }];
  const range = { starts: formatLocalTime(start), ends: formatLocalTime(end), zone: first };
  if (first !== '' || zones.calendarZone === null) return [range];
  const zone = resolveZone(zones.calendarZone, zones);
  const anyOffset = {
    starts: toAbsoluteTime(start, UNKNOWN, -MAX_EAST_OFFSET_MS),
    ends: toAbsoluteTime(end, UNKNOWN, MAX_WEST_OFFSET_MS),
    zone: null,
  };
  return [range, zone === UNKNOWN ? anyOffset : { ...range, zone }];
}

const UNKNOWN = 'unknown';

/** Largest UTC offsets, which limit the absolute time that a local time can mean. */
const MAX_EAST_OFFSET_MS = 14 * 60 * 60 * 1000;
const MAX_WEST_OFFSET_MS = 12 * 60 * 60 * 1000;

/** Returns null for an absolute time, '' for a floating time, UNKNOWN, or the IANA name of its zone. */
function findZone(time: ICAL.Time, name: string | string[] | undefined, zones: Zones): string | null {
  const isMoment = !time.isDate && time.zone !== ICAL.Timezone.localTimezone && time.zone.tzid !== 'floating';
  if (isMoment) return null;
  return typeof name === 'string' ? resolveZone(name, zones) : '';
}

function resolveZone(name: string, zones: Zones): string {
  const zone = ianaZone(name);
  if (zone === null) zones.unknown.add(name);
  return zone ?? UNKNOWN;
}

/** Returns the absolute time. A local time is treated as UTC and shifted by the offset. */
function toAbsoluteTime(time: ICAL.Time, zone: string | null, offsetMs: number): string {
  if (zone === null) return time.toJSDate().toISOString();
  return new Date(Date.parse(`${formatLocalTime(time)}Z`) + offsetMs).toISOString();
}

/**
 * Includes the last day if the type of UNTIL differs from that of DTSTART. RFC 5545 forbids this, but some programs do
 * it. A date then means the end of that day, and a local time is in the time zone of the event.
 */
function extendLastDay({ component, startDate }: ICAL.Event): void {
  for (const property of component.getAllProperties('rrule')) {
    const rule = property.getFirstValue();
    if (!(rule instanceof ICAL.Recur) || !rule.until || !startDate) continue;
    const { until } = rule;
    if (startDate.isDate && !until.isDate) {
      const latest = new Date(until.toJSDate().getTime() + MAX_EAST_OFFSET_MS);
      rule.until = ICAL.Time.fromDateString(latest.toISOString().slice(0, 10));
    } else if (!startDate.isDate && (until.isDate || until.zone.tzid === 'floating')) {
      const { year, month, day } = until;
      const clock = until.isDate ? { hour: 23, minute: 59, second: 59 } : until;
      const { hour, minute, second } = clock;
      rule.until = ICAL.Time.fromData({ year, month, day, hour, minute, second, isDate: false }, startDate.zone);
    }
  }
}

function formatLocalTime(time: ICAL.Time): string {
  const twoDigits = (part: number) => String(part).padStart(2, '0');
  const day = `${String(time.year).padStart(4, '0')}-${twoDigits(time.month)}-${twoDigits(time.day)}`;
  return time.isDate
    ? `${day}T00:00:00`
    : `${day}T${twoDigits(time.hour)}:${twoDigits(time.minute)}:${twoDigits(time.second)}`;
}
