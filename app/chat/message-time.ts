import { formatClock, formatTime } from '../ui/lib/format-time.ts';

/** Returns the time of a message, without the date of today. Null if the message before it has the same time. */
export function messageTime(messages: readonly { created_at: string }[], position: number): string | null {
  const [previous, time] = [position - 1, position].map((index) => {
    const moment = messages[index]?.created_at;
    if (!moment) return null;
    return new Date(moment).toDateString() === new Date().toDateString() ? formatClock(moment) : formatTime(moment);
  });
  return time === previous ? null : (time ?? null);
}
