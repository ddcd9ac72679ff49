import { useQuery } from '@tanstack/react-query';
import { DEFAULT_SITE_ZONE } from '../ui/lib/format-date.ts';
import { siteSettingsQuery } from './site-settings.ts';

/** Returns the time zone of the site, in which content has its days: that of the hours for calls. */
export function useSiteZone(): string {
  return useQuery(siteSettingsQuery).data?.site_time_zone ?? DEFAULT_SITE_ZONE;
}
