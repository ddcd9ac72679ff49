/** Zone of the site until hours for calls are saved, which name one. */
export const DEFAULT_SITE_ZONE = 'Europe/Oslo';

const WORDS = { day: 'numeric', month: 'long', year: 'numeric' } as const;
const formats = new Map<string, Intl.DateTimeFormat>();

/** Returns the zone, or UTC for one that this browser does not know. Browsers differ in the zones that they support. */
export function knownZone(timeZone: string): string {
  try {
    new Intl.DateTimeFormat('en-GB', { timeZone });
    return timeZone;
  } catch {
    return 'UTC';
  }
}

function formatOf(timeZone: string): Intl.DateTimeFormat {
  let format = formats.get(timeZone);
  if (format) return format;
  format = new Intl.DateTimeFormat('en-GB', { ...WORDS, timeZone: knownZone(timeZone) });
  formats.set(timeZone, format);
  return format;
}

/** Formats a day ('2025-11-06') as '6 November 2025'. Returns '' for an invalid date. */
export function formatDate(day: string): string {
  return formatDayOf(day, 'UTC');
}

/**
 * Formats the day of a moment as '6 November 2025', the same on the server and in every browser. The zone is that of the
 * site for content (useSiteZone), and that of the client for a client's records. Returns '' for an invalid date.
 */
export function formatDayOf(moment: string, timeZone: string): string {
  const time = Date.parse(moment);
  return Number.isNaN(time) ? '' : formatOf(timeZone).format(time);
}
