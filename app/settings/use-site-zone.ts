import { useQuery } from '@tanstack/react-query';
import { DEFAULT_SITE_ZONE } from '../ui/lib/format-date.ts';
import { siteSettingsQuery } from './site-settings.ts';

/** Returns the site's time zone for content dates, which is the time zone of the call hours. */
export function useSiteZone(): string {
  return useQuery(siteSettingsQuery).data?.site_time_zone ?? DEFAULT_SITE_ZONE;
}
