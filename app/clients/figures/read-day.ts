/** Parses dates in the formats of sending tools and spreadsheets. */
import { addDays, dayOf, startOfWeek } from '../../ui/lib/zoned-times.ts';

/** Order of an ambiguous date such as 11/02/2026. */
export type DayOrder = 'dmy' | 'mdy';

export const DATE_FORMATS = '2026-11-16, 16.11.2026, 11/16/2026, 16 Nov 2026 or 2026-W47';

interface DateOptions {
  /** Null rejects ambiguous dates. */
  order: DayOrder | null;
  /** Time zone for timestamps with an offset. */
  timeZone: string;
}

/** Month names in English, Norwegian, Swedish, Danish and German. A prefix of three letters is enough to match. */
const MONTHS = [
  ['january', 'januari'],
  ['february', 'februari'],
  ['march', 'mars', 'marts', 'märz', 'mrz'],
  ['april'],
  ['may', 'mai', 'maj'],
  ['june', 'juni'],
  ['july', 'juli'],
  ['august', 'augusti'],
  ['september'],
  ['october', 'oktober'],
  ['november'],
  ['december', 'desember', 'dezember'],
] as const;

const TIME =
  /(?:T|,?\s+)(\d{1,2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(?:\s*([ap]m))?(?:\s*(Z|UTC|GMT|[+-]\d{2}(?::?\d{2})?))?$/i;
const WEEK = /^(\d{4})[\s-]*(?:w|week|uke|vecka|v|uge|woche|kw)[\s.]*(\d{1,2})$/i;
const WEEK_FIRST = /^(?:w|week|uke|vecka|v|uge|woche|kw)[\s.]*(\d{1,2})[\s,/-]+(\d{4})$/i;
/** Two-digit years are not accepted after dashes, because they could be days. */
const ORDERED = /^(\d{1,2})(?:([./-])(\d{1,2})\2(\d{4})|([./])(\d{1,2})\5(\d{2}))$/;

/**
 * Parses a date. Returns YYYY-MM-DD, or null if the date is invalid. A week becomes its Monday. A timestamp with an offset is converted
 * to the time zone, except midnight UTC, which tools use for plain dates.
 */
export function readDay(text: string, { order, timeZone }: DateOptions): string | null {
  const week = weekParts(text);
  if (week) return firstDayOfWeek(...week);
  const time = TIME.exec(text);
  const day = readDate(text.slice(0, time?.index).trim(), order);
  const [, clock = '', meridiem, offset] = time ?? [];
  if (day === null || offset === undefined || meridiem !== undefined) return day;
  const zone = /^(z|utc|gmt|[+-]00(:?00)?)$/i.test(offset)
    ? 'Z'
    : offset.replace(/^([+-]\d{2}):?(\d{2})?$/, '$1:$2').replace(/:$/, ':00');
  const moment = new Date(`${day}T${clock.padStart(clock.indexOf(':') === 1 ? clock.length + 1 : 0, '0')}${zone}`);
  if (Number.isNaN(moment.getTime())) return null;
  return zone === 'Z' && /^0?0(:00)+(\.0+)?$/.test(clock) ? day : dayOf(moment.toISOString(), timeZone);
}

/** True for 2026-W47 and "Week 47, 2026". */
export function isWeekText(text: string): boolean {
  return weekParts(text) !== null;
}

/**
 * Returns the possible orders of an ambiguous date such as 11/02/2026. Returns an empty array for other texts. Dates
 * with dots always start with the day.
 */
export function possibleDayOrders(text: string): DayOrder[] {
  const parts = orderedParts(text.replace(TIME, '').trim());
  if (!parts || parts.separator === '.') return [];
  return (['dmy', 'mdy'] as const).filter((order) => readDay(text, { timeZone: 'UTC', order }) !== null);
}

function orderedParts(text: string) {
  const parts = ORDERED.exec(text);
  return (
    parts && {
      first: parts[1],
      separator: parts[2] ?? parts[5],
      second: parts[3] ?? parts[6],
      year: parts[4] ?? parts[7],
    }
  );
}

function readDate(text: string, order: DayOrder | null): string | null {
  const iso = /^(\d{4})([./-]?)(\d{1,2})\2(\d{1,2})$/.exec(text);
  if (iso && (iso[2] !== '' || text.length === 8)) return validDate(iso[1], iso[3], iso[4]);
  const parts = orderedParts(text);
  if (parts) {
    const { first, separator, second, year } = parts;
    const dateOrder = separator === '.' ? 'dmy' : order;
    if (dateOrder === null) return null;
    return dateOrder === 'dmy' ? validDate(year, second, first) : validDate(year, first, second);
  }
  const words = text
    .toLowerCase()
    .replace(/^\p{L}+,\s*/u, '')
    .split(/[\s.,-]+/)
    .filter(Boolean);
  const [firstWord = '', secondWord = '', namedYear, ...more] = words;
  if (more.length > 0) return null;
  const monthIsFirst = /^\p{L}/u.test(firstWord);
  const month = parseMonth(monthIsFirst ? firstWord : secondWord);
  const day = (monthIsFirst ? secondWord : firstWord).replace(/(st|nd|rd|th)$/, '');
  return month === 0 ? null : validDate(namedYear, String(month), day);
}

/** Returns the number of a month by its name or abbreviation, or 0 if unknown. */
function parseMonth(word: string): number {
  if (word.length < 3) return 0;
  return MONTHS.findIndex((names) => names.some((name) => name.startsWith(word))) + 1;
}

function validDate(year = '', month = '', day = ''): string | null {
  if (!/^(\d{2}|\d{4})$/.test(year) || !/^\d{1,2}$/.test(month) || !/^\d{1,2}$/.test(day)) return null;
  const date = `${year.padStart(4, '20')}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const time = Date.parse(date);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(date) ? date : null;
}

function weekParts(text: string): [year: number, week: number] | null {
  const [, year, week] = WEEK.exec(text) ?? [];
  if (year !== undefined) return [Number(year), Number(week)];
  const [, weekFirst, yearLast] = WEEK_FIRST.exec(text) ?? [];
  return weekFirst === undefined ? null : [Number(yearLast), Number(weekFirst)];
}

/** Returns the Monday of an ISO week, or null if the year has no such week. */
function firstDayOfWeek(year: number, week: number): string | null {
  const first = startOfWeek(`${year}-01-04`);
  const day = addDays(first, 7 * (week - 1));
  return week >= 1 && day < startOfWeek(`${year + 1}-01-04`) ? day : null;
}
