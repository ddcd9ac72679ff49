import { knownZone } from '../lib/format-date.ts';

/** Returns how far the clocks of a zone (default: that of this browser) are ahead of UTC at an instant, in milliseconds. */
function offsetOf(instant: number, timeZone?: string): number {
  const zone = timeZone && knownZone(timeZone);
  const format = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'medium', timeZone: zone });
  const seconds = Math.floor(instant / 1000) * 1000;
  return Date.parse(`${format.format(seconds).replace(' ', 'T')}Z`) - seconds;
}

/**
 * Returns the value of a datetime-local input for an instant, in a time zone (default: that of this browser). Returns an
 * empty value for an invalid instant.
 */
export function toLocalInput(instant: string, timeZone?: string): string {
  const time = Date.parse(instant);
  if (Number.isNaN(time)) return '';
  return new Date(time + offsetOf(time, timeZone)).toISOString().slice(0, 16);
}

/**
 * Returns the instant of a datetime-local value in a time zone (default: that of this browser). Returns an empty value for
 * an invalid one.
 */
export function fromLocalInput(local: string, timeZone?: string): string {
  const asUtc = Date.parse(`${local}Z`);
  if (Number.isNaN(asUtc)) return '';
  // The offset before a change of the clocks can differ from the one after it.
  const near = asUtc - offsetOf(asUtc, timeZone);
  return new Date(asUtc - offsetOf(near, timeZone)).toISOString();
}
