import { useQuery } from '@tanstack/react-query';
import { siteSettingsQuery } from '../../settings/site-settings.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { shortMoment, visitorZone } from '../../ui/lib/zoned-times.ts';

interface NextCallProps {
  /** Start of the next booked call, as a timestamp. */
  startsAt: string | null;
  isImpersonated: boolean;
}

/** Shows the user's next booked call, or a link to book a call. */
export function NextCall({ startsAt, isImpersonated }: NextCallProps) {
  const { data: settings } = useQuery({ ...siteSettingsQuery, enabled: !isImpersonated });
  const offersCalls = settings?.booking === 'on' && !isImpersonated;
  return (
    <div className="flex items-baseline justify-between gap-3 py-2.5 text-[0.9375rem]">
      <h3 className="font-semibold">Next call</h3>
      {startsAt && <time dateTime={startsAt}>{shortMoment(startsAt, visitorZone())}</time>}
      {!startsAt && !offersCalls && <p className="text-muted">No call booked</p>}
      {!startsAt && offersCalls && (
        <ButtonLink to="/" hash="booking" variant="link">
          Book a call
        </ButtonLink>
      )}
    </div>
  );
}
