import { shortMoment, visitorZone } from '../../ui/lib/zoned-times.ts';

/** Says when the next call is that the person has booked. `startsAt` is a timestamp; null for none. */
export function NextCall({ startsAt }: { startsAt: string | null }) {
  return (
    <div className="flex items-baseline justify-between gap-3 py-2.5 text-[0.9375rem]">
      <h3 className="font-semibold">The next call</h3>
      {startsAt ? (
        <time dateTime={startsAt}>{shortMoment(startsAt, visitorZone())}</time>
      ) : (
        <p className="text-muted">None is booked</p>
      )}
    </div>
  );
}
