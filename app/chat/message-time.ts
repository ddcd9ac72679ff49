import { formatClock, formatTime } from '../ui/lib/format-time.ts';

/** Returns the time of a message, with the date unless it is today. Null if the previous message has the same time. */
export function messageTime(messages: readonly { created_at: string }[], position: number): string | null {
  const [previous, time] = [position - 1, position].map((index) => {
    const moment = messages[index]?.created_at;
    if (!moment) return null;
    return new Date(moment).toDateString() === new Date().toDateString() ? formatClock(moment) : formatTime(moment);
  });
  return time === previous ? null : (time ?? null);
}
