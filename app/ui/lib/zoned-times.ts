/** Times in a time zone. Uses the browser's zone data. */

/**
 * Returns the browser's time zone, or UTC if the browser cannot format it. With `TZ=Etc/Unknown`, Chrome reports
 * `Etc/Unknown`, and `Intl.DateTimeFormat` throws a RangeError.
 */
export function visitorZone(): string {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  try {
    return Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone || 'UTC';
  } catch {
    return 'UTC';
  }
}

/** Returns all supported zones, including `zone`. */
export function allZones(zone: string): string[] {
  return [...new Set(['UTC', zone, ...Intl.supportedValuesOf('timeZone')])].toSorted();
}

/** Returns the day of a moment in a zone, such as 2026-11-24. */
export function dayOf(moment: string, timeZone: string): string {
  const format = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
  return format.format(new Date(moment));
}

/** Groups moments by their day in a zone, in order. */
export function groupByDay(moments: readonly string[], timeZone: string): Map<string, string[]> {
  const days = new Map<string, string[]>();
  for (const moment of moments) {
    const day = dayOf(moment, timeZone);
    days.set(day, [...(days.get(day) ?? []), moment]);
  }
  return days;
}

/** Returns the first day of the week of `day`. `firstWeekday` is 1 for Monday to 7 for Sunday. */
export function startOfWeek(day: string, firstWeekday = 1): string {
  const days = (new Date(day).getUTCDay() + 7 - firstWeekday) % 7;
  return addDays(day, -days);
}

export function addDays(day: string, days: number): string {
  const date = new Date(day);
  date.setUTCDate(date.getUTCDate() + days);
  return date.toISOString().slice(0, 10);
}

/** Formats a calendar day with options such as `{ weekday: 'long' }`. */
export function formatDay(day: string, options: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'UTC' }).format(new Date(day));
}

/** Formats a time as '10:00', or as '02:00 GMT+1' if clocks go back and the time occurs twice on that day. */
export function timeOf(moment: string, timeZone: string, momentsOfDay: readonly string[] = []): string {
  const time = clock(moment, timeZone);
  const isAmbiguous = momentsOfDay.filter((other) => clock(other, timeZone) === time).length > 1;
  return isAmbiguous ? clock(moment, timeZone, 'shortOffset') : time;
}

function clock(moment: string, timeZone: string, timeZoneName?: 'shortOffset'): string {
  const options = { hour: '2-digit', minute: '2-digit', timeZone, ...(timeZoneName ? { timeZoneName } : {}) } as const;
  return new Intl.DateTimeFormat('en-GB', options).format(new Date(moment));
}

/** Formats a moment as 'Tuesday 24 November 2026, 10:00'. */
export function formatMoment(moment: string, timeZone: string): string {
  const day = formatDay(dayOf(moment, timeZone), { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });
  return `${day.replace(',', '')}, ${timeOf(moment, timeZone)}`;
}

/** Formats a moment as 'Tue 24 Nov, 10:00'. */
export function shortMoment(moment: string, timeZone: string): string {
  const day = formatDay(dayOf(moment, timeZone), { weekday: 'short', day: 'numeric', month: 'short' });
  return `${day.replace(',', '')}, ${timeOf(moment, timeZone)}`;
}

/** Returns the times in the calendar week after `now`, Monday to Sunday in the zone. */
export function timesOfNextWeek(moments: readonly string[], timeZone: string, now: string): string[] {
  const from = addDays(startOfWeek(dayOf(now, timeZone)), 7);
  const to = addDays(from, 7);
  return moments.filter((moment) => {
    const day = dayOf(moment, timeZone);
    return day >= from && day < to;
  });
}

/** Returns `count` moments on different days if possible, earliest first. Then adds later moments. */
export function timesOnDifferentDays(moments: readonly string[], timeZone: string, count: number): string[] {
  const days = [...groupByDay(moments, timeZone).values()].slice(0, count);
  const firsts = days.flatMap(([first]) => first ?? []);
  const laterTimes = days.flatMap(([, ...later]) => later);
  return [...firsts, ...laterTimes].slice(0, count).toSorted();
}
