const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });

/** Formats a timestamp as '21 Nov 2025, 14:05' in local time. */
export function formatTime(timestamp: string): string {
  return format.format(new Date(timestamp));
}

const clock = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short' });

/** Formats a timestamp as '14:05' in local time. */
export function formatClock(timestamp: string): string {
  return clock.format(new Date(timestamp));
}
