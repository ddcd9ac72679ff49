import { ButtonLink } from '../../ui/button.tsx';
import { focusHeading } from '../../ui/lib/focus-heading.ts';

/** Says that booking is off and, elsewhere than among the hours themselves, leads to them. */
export function NotOffered({ isAmongHours = false }: { isAmongHours?: boolean }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 rounded-lg border border-line bg-signal-soft p-4">
      <p className="max-w-[60ch]">
        Visitors cannot book calls: no weekly hours are saved, and the site shows its placeholder.
      </p>
      {!isAmongHours && <SetHours />}
    </div>
  );
}

/** Leads to the hours. It goes with what it stands in, and the keyboard would be nowhere. */
export function SetHours() {
  return (
    <ButtonLink to="/admin/bookings" search={{ tab: 'availability' }} size="sm" onClick={focusHeading}>
      Set hours
    </ButtonLink>
  );
}
