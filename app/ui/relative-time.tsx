import { formatAgo } from './lib/format-ago.ts';
import { formatTime } from './lib/format-time.ts';

/** Shows '5 min ago', with the full time as a tooltip. Use it only for data that is loaded in the browser. */
export function RelativeTime({ at }: { at: string }) {
  return (
    <time dateTime={at} title={formatTime(at)}>
      {formatAgo(at, Date.now())}
    </time>
  );
}
