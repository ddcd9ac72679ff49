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

/** More than the next year of a very busy person; past it the rest is left out. */
const MAX_TIMES = 5000;

/**
 * The busy times that overlap [from, to), with repeated events as often as they happen. Events that are cancelled or that
 * say they take no time ('free') are none.
 * @throws Error when it is no calendar
 */
export function busyTimes(text: string, from: Date, to: Date): BusyTime[] {
  const calendar = new ICAL.Component(ICAL.parse(text));
  if (calendar.name !== 'vcalendar') throw new Error('not a calendar');
  for (const zone of calendar.getAllSubcomponents('vtimezone')) ICAL.TimezoneService.register(zone);
  const events = calendar.getAllSubcomponents('vevent').map((component) => new ICAL.Event(component));
  const masters = new Map(events.filter((event) => !event.isRecurrenceException()).map((event) => [event.uid, event]));
  const found: BusyTime[] = [];
  const add = (event: ICAL.Event, start: ICAL.Time, end: ICAL.Time) => {
    if (!takesTime(event) || found.length >= MAX_TIMES) return;
    // A day on either side, because local times are moments only once their zone is known.
    if (end.toJSDate().getTime() < from.getTime() - DAY_MS || start.toJSDate().getTime() > to.getTime() + DAY_MS)
      return;
    found.push({ uid: event.uid ?? '', ...written(event, start, end) });
  };
  for (const event of events) {
    if (!event.isRecurrenceException()) continue;
    const master = masters.get(event.uid);
    if (master?.isRecurring()) master.relateException(event);
    else add(event, event.startDate, event.endDate);
  }
  for (const event of masters.values()) {
    if (!event.isRecurring()) {
      add(event, event.startDate, event.endDate);
      continue;
    }
    const occurrences = event.iterator();
    for (let next = occurrences.next(); next; next = occurrences.next()) {
      if (next.toJSDate().getTime() > to.getTime() + DAY_MS || found.length >= MAX_TIMES) break;
      const { item, startDate, endDate } = event.getOccurrenceDetails(next);
      add(item, startDate, endDate);
    }
  }
  return found;
}

const DAY_MS = 24 * 60 * 60 * 1000;

function takesTime({ component }: ICAL.Event): boolean {
  const says = (name: string) => String(component.getFirstPropertyValue(name) ?? '').toUpperCase();
  return says('transp') !== 'TRANSPARENT' && says('status') !== 'CANCELLED';
}

/** Both ends in the same form, which is that of the beginning. */
function written({ component }: ICAL.Event, start: ICAL.Time, end: ICAL.Time): Omit<BusyTime, 'uid'> {
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
