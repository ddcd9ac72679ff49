import { useQuery } from '@tanstack/react-query';
import { DEFAULT_SITE_ZONE } from '../ui/lib/format-date.ts';
import { siteSettingsQuery } from './site-settings.ts';

/** Time zone of the site, used for dates of content: that of the hours for calls. */
export function useSiteZone(): string {
  return useQuery(siteSettingsQuery).data?.site_time_zone ?? DEFAULT_SITE_ZONE;
}
