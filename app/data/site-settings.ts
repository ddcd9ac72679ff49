import { queryOptions } from '@tanstack/react-query';
import { DEFAULT_SITE_NAME } from '../../supabase/functions/ai-chat/site-name.ts';
import { publicApi } from './api.ts';

/** What the site shows for each known key while nothing is saved. */
export const siteSettingDefaults = {
  site_name: DEFAULT_SITE_NAME,
  site_tagline: 'AI Outbound Systems for Brand-First Growth',
  contact_email: 'hello@signalfjord.example',
  contact_phone: '+47 00 00 00 00',
  social_links: { instagram: 'https://www.instagram.com/' } as Record<string, string>,
  seo_description:
    'Signalfjord builds outreach systems, lead generation automation and chatbots for companies that care how they sound.',
  seo_keywords: 'outbound sales, lead generation, cold e-mail, deliverability, AI chatbots, Oslo',
};

export type SiteSettings = typeof siteSettingDefaults;
export type SiteSettingKey = keyof SiteSettings;

export const SITE_SETTING_KEYS = Object.keys(siteSettingDefaults) as SiteSettingKey[];

/** The public settings, each with its default when nothing (or nothing valid) is saved. */
export const siteSettingsQuery = queryOptions({
  queryKey: ['site_settings', 'public'],
  queryFn: async ({ signal }): Promise<SiteSettings> => {
    const api = await publicApi();
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

/** Settings from rows of site_settings. An empty text counts as not saved. */
export function readSiteSettings(rows: readonly { setting_key: string; setting_value: string | null }[]): SiteSettings {
  const settings: SiteSettings = { ...siteSettingDefaults };
  for (const { setting_key: key, setting_value: value } of rows) {
    if (!value?.trim()) continue;
    if (key === 'social_links') settings.social_links = parseSocialLinks(value) ?? settings.social_links;
    else if (isTextKey(key)) settings[key] = value;
  }
  return settings;
}

/** The links of a JSON object text, without values that are not text; null when it is no JSON object. */
export function parseSocialLinks(text: string): Record<string, string> | null {
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return null;
    return Object.fromEntries(Object.entries(parsed).filter((entry) => typeof entry[1] === 'string'));
  } catch {
    return null;
  }
}

function isTextKey(key: string): key is Exclude<SiteSettingKey, 'social_links'> {
  return key in siteSettingDefaults && key !== 'social_links';
}
