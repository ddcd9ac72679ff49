/** Time zone of the site until booking hours are saved. */
export const DEFAULT_SITE_ZONE = 'Europe/Oslo';

const LONG_DATE = { day: 'numeric', month: 'long', year: 'numeric' } as const;
const formats = new Map<string, Intl.DateTimeFormat>();

/** Returns the zone, or UTC if this browser does not support it. */
export function supportedZone(timeZone: string): string {
  try {
    new Intl.DateTimeFormat('en-GB', { timeZone });
    return timeZone;
  } catch {
    return 'UTC';
  }
}

function getFormat(timeZone: string): Intl.DateTimeFormat {
  let format = formats.get(timeZone);
  if (format) return format;
  format = new Intl.DateTimeFormat('en-GB', { ...LONG_DATE, timeZone: supportedZone(timeZone) });
  formats.set(timeZone, format);
  return format;
}

/** Formats a day ('2025-11-06') as '6 November 2025'. Empty if invalid. */
export function formatDate(day: string): string {
  return formatDayOf(day, 'UTC');
}

/**
 * Formats the day of a moment as '6 November 2025', identically on the server and in all browsers. Use the site's zone
 * for content (useSiteZone), and the client's for client data. Empty if invalid.
 */
export function formatDayOf(moment: string, timeZone: string): string {
  const time = Date.parse(moment);
  return Number.isNaN(time) ? '' : getFormat(timeZone).format(time);
}
