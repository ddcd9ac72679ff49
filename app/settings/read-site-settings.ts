import { DEFAULT_SITE_ZONE } from '../ui/lib/format-date.ts';
import { keysOf, recordOf } from '../ui/lib/keys-of.ts';
import type { BrandLogo } from './brand/brand-logo.ts';
import { parseLogo } from './brand/logo.ts';
import { CHAT_SETTINGS, LEAD_SETTINGS, SITE_SETTINGS } from './settings.ts';
import { fillSiteName } from './site-name.ts';

const { answer_time, keep_contact_messages, leads_from_chat, newsletter_signup } = LEAD_SETTINGS;

/** Settings that pages read. */
const PAGE_SETTINGS = {
  ...SITE_SETTINGS,
  keep_contact_messages,
  answer_time,
  leads_from_chat,
  newsletter_signup,
  chat_retention_days: CHAT_SETTINGS.chat_retention_days,
  // Visitors can read this setting only if it is 0.
  chat_daily_cap: CHAT_SETTINGS.chat_daily_cap,
  // 'on' if weekly call hours are saved. The database writes it, so it is not on the settings page.
  booking: { default: 'off' },
  // Time zone of the call hours. The database writes it, so it is not on the settings page.
  site_time_zone: { default: DEFAULT_SITE_ZONE },
  // Validated in brand-assets.ts.
  brand_accent: { default: '' },
  brand_logo: { default: '' },
};

type SiteSettingKey = keyof typeof PAGE_SETTINGS;

/** Public settings, with links by platform and the logo. */
export type SiteSettings = Record<Exclude<SiteSettingKey, 'social_links' | 'brand_logo'>, string> & {
  social_links: Record<string, string>;
  /** Null for the built-in mark. */
  brand_logo: BrandLogo | null;
};

export const SITE_SETTING_KEYS = keysOf(PAGE_SETTINGS);

/** Parses rows of site_settings. Missing and invalid values get their default, and {site} is replaced. */
export function readSiteSettings(rows: readonly { setting_key: string; setting_value: string | null }[]): SiteSettings {
  const saved = new Map(rows.map((row) => [row.setting_key, row.setting_value]));
  const raw = recordOf(SITE_SETTING_KEYS, (key) => {
    const value = saved.get(key);
    // An empty text counts as not saved.
    return value?.trim() ? value : PAGE_SETTINGS[key].default;
  });
  const texts = { ...fillSiteName(raw, raw.site_name), site_name: raw.site_name };
  const links = parseSocialLinks(texts.social_links) ?? parseSocialLinks(PAGE_SETTINGS.social_links.default);
  return {
    ...texts,
    // The default phone number is only an example for the form, so pages omit it.
    contact_phone: texts.contact_phone === PAGE_SETTINGS.contact_phone.default ? '' : texts.contact_phone,
    social_links: links ?? {},
    brand_logo: parseLogo(texts.brand_logo),
  };
}

export const siteSettingDefaults = readSiteSettings([]);

/** Parses the JSON object of links and omits values that are not text. Returns null for other JSON. */
export function parseSocialLinks(text: string): Record<string, string> | null {
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return null;
    return Object.fromEntries(Object.entries(parsed).filter((entry) => typeof entry[1] === 'string'));
  } catch {
    return null;
  }
}
