import type { Publication } from '../visits.ts';

const format = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** '6 Nov' for 2026-11-06. */
export function dayAndMonth(day: string): string {
  return format.format(Date.parse(day));
}

/** Lists the titles that were published on that day. */
export function titlesOf(publications: readonly Publication[], day: string): string[] {
  return publications.filter((publication) => publication.day === day).map(({ title }) => title);
}
