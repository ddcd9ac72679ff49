import { shortMoment, visitorZone } from '../../ui/lib/zoned-times.ts';

/** Shows the user's next booked call. `startsAt` is a timestamp. */
export function NextCall({ startsAt }: { startsAt: string | null }) {
  return (
    <div className="flex items-baseline justify-between gap-3 py-2.5 text-[0.9375rem]">
      <h3 className="font-semibold">Next call</h3>
      {startsAt ? (
        <time dateTime={startsAt}>{shortMoment(startsAt, visitorZone())}</time>
      ) : (
        <p className="text-muted">No call booked</p>
      )}
    </div>
  );
}
