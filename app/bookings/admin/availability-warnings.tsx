import { ButtonLink } from '../../ui/button.tsx';
import { focusHeading } from '../../ui/lib/focus-heading.ts';

/** Warns that booking is off. Links to the weekly hours unless they are on the same screen. */
export function BookingOffNotice({ isOnHoursScreen = false }: { isOnHoursScreen?: boolean }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 rounded-lg border border-line bg-signal-soft p-4">
      <p className="flex-1 basis-80">
        Visitors cannot book calls because no weekly hours are saved. The site shows a placeholder instead.
      </p>
      {!isOnHoursScreen && <AvailabilityLink />}
    </div>
  );
}

/** Links to the availability tab. The link unmounts on click, so move the focus to the heading. */
export function AvailabilityLink() {
  return (
    <ButtonLink to="/admin/bookings" search={{ tab: 'availability' }} size="sm" onClick={focusHeading}>
      Set hours
    </ButtonLink>
  );
}
