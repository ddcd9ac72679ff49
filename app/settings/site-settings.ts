import { queryOptions } from '@tanstack/react-query';
import { publicApi } from '../api/visitor-api.ts';
import type { SiteSettings } from './read-site-settings.ts';

export type { SiteSettings };

/** Returns true if the assistant is turned off. Pages then do not link to it. */
export function isChatOff({ chat_daily_cap }: SiteSettings): boolean {
  return Number(chat_daily_cap) === 0;
}

/** Returns which actions the chat offers below its replies. */
export function getChatOffers({ leads_from_chat, booking }: SiteSettings): { leads: boolean; calls: boolean } {
  return { leads: leads_from_chat === 'on', calls: booking === 'on' };
}

/** Reads the public settings, with defaults for missing and invalid values. */
export const siteSettingsQuery = queryOptions({
  queryKey: ['site_settings', 'public'],
  queryFn: async ({ signal }): Promise<SiteSettings> => {
    const [api, { readSiteSettings, SITE_SETTING_KEYS }] = await Promise.all([
      publicApi(),
      import('./read-site-settings.ts'),
    ]);
    const { data } = await api
      .from('site_settings')
      .select('setting_key, setting_value')
      .in('setting_key', SITE_SETTING_KEYS)
      .order('setting_key')
      .abortSignal(signal)
      .throwOnError();
    return readSiteSettings(data);
  },
});
