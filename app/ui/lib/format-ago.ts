import { formatTime } from './format-time.ts';

const format = new Intl.RelativeTimeFormat('en-GB', { style: 'short' });
const MINUTE = 60_000;
const UNITS = [
  ['day', 24 * 60 * MINUTE],
  ['hour', 60 * MINUTE],
  ['minute', MINUTE],
] as const;

/** Formats a recent time as '5 min ago'. Future times and times over a week ago become '21 Nov 2025, 14:05'. */
export function formatAgo(timestamp: string, now: number): string {
  const age = now - Date.parse(timestamp);
  // The browser clock may be slow.
  if (Math.abs(age) < MINUTE) return 'just now';
  if (age < 0 || age >= 7 * 24 * 60 * MINUTE) return formatTime(timestamp);
  const [unit, length] = UNITS.find(([, milliseconds]) => age >= milliseconds) ?? ['minute', MINUTE];
  return format.format(-Math.floor(age / length), unit);
}
