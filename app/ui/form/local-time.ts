import { supportedZone } from '../lib/format-date.ts';

/** Returns the UTC offset of a zone at an instant, in milliseconds. Defaults to the browser's zone. */
function utcOffset(instant: number, timeZone?: string): number {
  const zone = timeZone && supportedZone(timeZone);
  const format = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'medium', timeZone: zone });
  const seconds = Math.floor(instant / 1000) * 1000;
  return Date.parse(`${format.format(seconds).replace(' ', 'T')}Z`) - seconds;
}

/** Converts an instant to a datetime-local value in a zone. Defaults to the browser's zone. Empty if invalid. */
export function toLocalInput(instant: string, timeZone?: string): string {
  const time = Date.parse(instant);
  if (Number.isNaN(time)) return '';
  return new Date(time + utcOffset(time, timeZone)).toISOString().slice(0, 16);
}

/** Converts a datetime-local value in a zone to an instant. Defaults to the browser's zone. Empty if invalid. */
export function fromLocalInput(local: string, timeZone?: string): string {
  const asUtc = Date.parse(`${local}Z`);
  if (Number.isNaN(asUtc)) return '';
  // Around a clock change, the offset of the estimate may differ.
  const estimate = asUtc - utcOffset(asUtc, timeZone);
  return new Date(asUtc - utcOffset(estimate, timeZone)).toISOString();
}
