/** Zone in which the site's moments have their day: that of the agency, the same for editors and readers. */
const SITE_ZONE = 'Europe/Oslo';

const WORDS = { day: 'numeric', month: 'long', year: 'numeric' } as const;
const ofDay = new Intl.DateTimeFormat('en-GB', { ...WORDS, timeZone: 'UTC' });
const ofMoment = new Intl.DateTimeFormat('en-GB', { ...WORDS, timeZone: SITE_ZONE });

/**
 * Formats a day ('2025-11-06') or the day of a moment in the site's zone as '6 November 2025', the same on the server and in every
 * browser. Returns '' for an invalid date.
 */
export function formatDate(date: string): string {
  const time = Date.parse(date);
  if (Number.isNaN(time)) return '';
  return (/^\d{4}-\d{2}-\d{2}$/.test(date) ? ofDay : ofMoment).format(time);
}
