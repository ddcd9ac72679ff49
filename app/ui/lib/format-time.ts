const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });

/** '21 Nov 2025, 14:05', in the time of the person who reads it. */
export function formatTime(timestamp: string): string {
  return format.format(new Date(timestamp));
}

const clock = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short' });

/** '14:05', in the time of the person who reads it. */
export function formatClock(timestamp: string): string {
  return clock.format(new Date(timestamp));
}
