const format = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });

/** '6 November 2025', the same on the server and in every browser; empty for a text that is no date. */
export function formatDate(date: string): string {
  const time = Date.parse(date);
  return Number.isNaN(time) ? '' : format.format(time);
}
