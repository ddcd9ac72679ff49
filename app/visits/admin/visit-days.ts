import type { Publication } from '../visits.ts';

const format = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** Formats 2026-11-06 as '6 Nov'. */
export function formatDayAndMonth(day: string): string {
  return format.format(Date.parse(day));
}

/** Lists the titles of the items published on a day. */
export function titlesOnDay(publications: readonly Publication[], day: string): string[] {
  return publications.filter((publication) => publication.day === day).map(({ title }) => title);
}
