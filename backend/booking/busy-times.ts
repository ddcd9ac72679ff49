/**
 * Reads from a calendar (RFC 5545) when its owner is busy. Runs in a thread of its own, because a rule may be made so
 * that it never ends.
 */
import ICAL from 'ical.js';

export interface BusyTime {
  uid: string;
  /** ISO 8601: with an offset where `zone` is null, else a local time. */
  starts: string;
  ends: string;
  /** Null for moments, the name of a zone for local times, '' for local times of no zone in particular. */
  zone: string | null;
}

/** More than the next year of a very busy person; events past it count as unread, for what they take is not known. */
const MAX_TIMES = 5000;

export interface BusyCalendar {
  times: BusyTime[];
  /** Number of parts that could not be read, and are left out. */
  unread: number;
}

/**
 * The busy times that overlap [from, to), with repeated events as often as they happen. Events that are cancelled or that
 * say they take no time ('free') are none. In doubt a time is busy: every event counts, whichever others have its UID.
 * @throws Error when it is no calendar, not a whole one, or nothing in it can be read
 */
export function busyTimes(text: string, from: Date, to: Date): BusyCalendar {
  const found = new Map<string, BusyTime>();
  const [first, last] = [from.getTime() - DAY_MS, to.getTime() + DAY_MS];
  const add: AddTime = (component, start, end) => {
    if (!takesTime(component)) return;
    const [startMs, endMs] = [start.toJSDate().getTime(), end.toJSDate().getTime()];
    if (Number.isNaN(startMs + endMs)) throw new Error('no such time');
    // A day on either side, because local times are moments only once their zone is known.
    if (endMs < first || startMs > last) return;
    if (found.size >= MAX_TIMES) throw new Error('more times than are kept');
    const time = { uid: String(component.getFirstPropertyValue('uid') ?? ''), ...written(component, start, end) };
    found.set(JSON.stringify(time), time);
  };

  const parts = partsOf(text);
  const components: ICAL.Component[] = [];
  let unread = readEach(parts, (part) => components.push(parsed(part)));
  const named = (name: string) => components.filter((component) => component.name === name);
  unread += readEach(named('vtimezone'), (zone) => ICAL.TimezoneService.register(zone));
  unread += readEach(named('vfreebusy'), (component) => addFreeBusy(component, add));
  const events = named('vevent').map((component) => new ICAL.Event(component));
  const exceptions: ICAL.Event[] = [];
  unread += readEach(events.filter(isException), (event) => {
    add(event.component, event.startDate, event.endDate);
    exceptions.push(event);
  });
  const exceptionsOf = Map.groupBy(exceptions, ({ uid }) => uid);
  unread += readEach(events, (event) => {
    if (isException(event)) return;
    if (!event.isRecurring()) return add(event.component, event.startDate, event.endDate);
    if (event.uid) for (const exception of exceptionsOf.get(event.uid) ?? []) event.relateException(exception);
    addRepetitions(event, add, (start) => start.toJSDate().getTime() <= last);
  });
  if (parts.length > 0 && unread >= parts.length) throw new Error('nothing that can be read');
  return { times: [...found.values()], unread };
}

const DAY_MS = 24 * 60 * 60 * 1000;

type AddTime = (component: ICAL.Component, start: ICAL.Time, end: ICAL.Time) => void;

/** The events, free-busy times and time zones of a calendar, not parsed, so that a bad line spoils no other part. */
function partsOf(text: string): string[] {
  const [head = '', ...parts] = text.split(/^(?=BEGIN:(?:VEVENT|VFREEBUSY|VTIMEZONE)\s*$)/im);
  // The end of one that was cut off would be missing, and its busy times with it.
  if (!/^\s*BEGIN:VCALENDAR\s/i.test(head) || !/^END:VCALENDAR\s*$/im.test(parts.at(-1) ?? head)) {
    throw new Error('not a calendar');
  }
  return parts;
}

function parsed(part: string): ICAL.Component {
  const [whole = ''] = /^BEGIN:(\w+)[\s\S]*?^END:\1\s*?$/im.exec(part) ?? [];
  return new ICAL.Component(ICAL.parse(whole));
}

/** @returns how many of them could not be read */
function readEach<Item>(items: Item[], read: (item: Item) => void): number {
  let unread = 0;
  for (const item of items) {
    try {
      read(item);
    } catch {
      unread += 1;
    }
  }
  return unread;
}

function isException(event: ICAL.Event): boolean {
  return event.isRecurrenceException();
}

function addFreeBusy(component: ICAL.Component, add: AddTime): void {
  for (const property of component.getAllProperties('freebusy')) {
    if (property.getParameter('fbtype') === 'FREE') continue;
    for (const { start, end } of periodsOf(property)) add(component, start, end);
  }
}

function addRepetitions(event: ICAL.Event, add: AddTime, isWanted: (start: ICAL.Time) => boolean): void {
  const { component, startDate } = event;
  const addFrom = (start: ICAL.Time) => {
    const occurrence = event.getOccurrenceDetails(start);
    add(occurrence.item.component, occurrence.startDate, occurrence.endDate);
  };
  // The library repeats days only, and leaves out a first one that no rule names.
  for (const property of component.getAllProperties('rdate')) {
    if (property.type !== 'period') continue;
    for (const { start, end } of periodsOf(property)) add(component, start, end);
    component.removeProperty(property);
  }
  const left = component.getAllProperties('exdate').flatMap((property) => property.getValues());
  const leaves = (day: unknown) =>
    day instanceof ICAL.Time &&
    (day.isDate ? `${startDate}`.startsWith(`${day}`) : day.toUnixTime() === startDate.toUnixTime());
  if (!left.some(leaves)) addFrom(startDate);
  const starts = event.iterator();
  for (let start = starts.next(); start && isWanted(start); start = starts.next()) addFrom(start);
}

function periodsOf(property: ICAL.Property): { start: ICAL.Time; end: ICAL.Time }[] {
  return property
    .getValues()
    .filter((value) => value instanceof ICAL.Period)
    .map((period) => ({ start: period.start, end: period.getEnd() }));
}

function takesTime(component: ICAL.Component): boolean {
  const says = (name: string) => String(component.getFirstPropertyValue(name) ?? '').toUpperCase();
  return says('transp') !== 'TRANSPARENT' && says('status') !== 'CANCELLED';
}

/** Both ends in the same form, which is that of the beginning. */
function written(component: ICAL.Component, start: ICAL.Time, end: ICAL.Time): Omit<BusyTime, 'uid'> {
  const isMoment = !start.isDate && start.zone !== ICAL.Timezone.localTimezone && start.zone.tzid !== 'floating';
  if (isMoment) return { starts: start.toJSDate().toISOString(), ends: end.toJSDate().toISOString(), zone: null };
  const named = component.getFirstProperty('dtstart')?.getParameter('tzid');
  return { starts: local(start), ends: local(end), zone: typeof named === 'string' ? named : '' };
}

function local(time: ICAL.Time): string {
  const two = (part: number) => String(part).padStart(2, '0');
  const day = `${String(time.year).padStart(4, '0')}-${two(time.month)}-${two(time.day)}`;
  return time.isDate ? `${day}T00:00:00` : `${day}T${two(time.hour)}:${two(time.minute)}:${two(time.second)}`;
}
