import { unreadableOrigin } from '../../data/chat-origins.ts';
import { siteSettingDefaults } from '../../data/site-settings.ts';

export interface Setting {
  key: string;
  label: string;
  help: string;
  /** What applies, and is shown, while nothing is saved. */
  default: string;
  input: 'line' | 'text' | 'email' | 'number' | 'json' | 'origins';
}

/** What visitors see, in all its keys. */
export const SITE_SETTINGS: readonly Setting[] = [
  {
    key: 'site_name',
    label: 'Site name',
    help: 'Beside the logo, in page titles and in e-mails.',
    default: siteSettingDefaults.site_name,
    input: 'line',
  },
  {
    key: 'site_tagline',
    label: 'Site tagline',
    help: 'One line about what you do, in the title of the home page.',
    default: siteSettingDefaults.site_tagline,
    input: 'line',
  },
  {
    key: 'contact_email',
    label: 'Contact email',
    help: 'Where visitors can write to you.',
    default: siteSettingDefaults.contact_email,
    input: 'email',
  },
  {
    key: 'contact_phone',
    label: 'Contact phone',
    help: 'With the country code.',
    default: siteSettingDefaults.contact_phone,
    input: 'line',
  },
  {
    key: 'social_links',
    label: 'Social links',
    help: 'A JSON object of platform and address: {"instagram": "https://..."}',
    default: JSON.stringify(siteSettingDefaults.social_links, null, 2),
    input: 'json',
  },
  {
    key: 'seo_description',
    label: 'SEO description',
    help: 'What search engines show under the title; about 150 characters.',
    default: siteSettingDefaults.seo_description,
    input: 'text',
  },
  {
    key: 'seo_keywords',
    label: 'SEO keywords',
    help: 'Separated by commas.',
    default: siteSettingDefaults.seo_keywords,
    input: 'line',
  },
];

/** What only the chat and admins see. */
export const CHAT_SETTINGS: readonly Setting[] = [
  {
    key: 'chat_instructions',
    label: 'Chat instructions',
    help: 'What the assistant should know and how it should speak, beyond the published content.',
    default: '',
    input: 'text',
  },
  {
    key: 'chat_daily_cap',
    label: 'Chat daily cap',
    help: 'How many replies the assistant gives a day on the whole site; 0 switches it off.',
    default: '1000',
    input: 'number',
  },
  {
    key: 'chat_allowed_origins',
    label: 'Chat allowed origins',
    help: 'Sites that may embed the chat, one address a line: https://example.com. Empty: any site.',
    default: '',
    input: 'origins',
  },
  {
    key: 'chat_retention_days',
    label: 'Chat retention days',
    help: 'Conversations are deleted this many days after their last message.',
    default: '365',
    input: 'number',
  },
];

/** Why a value is not saved, as a sentence; null when it may be. */
export function refusalOf({ input }: Setting, value: string): string | null {
  if (input === 'number' && !/^\d{1,9}$/.test(value.trim())) return 'Enter a whole number, 0 or more.';
  if (input === 'json') return refusalOfJson(value);
  if (input === 'origins') return refusalOfOrigins(value);
  return null;
}

function refusalOfOrigins(value: string): string | null {
  const entry = unreadableOrigin(value);
  return entry === undefined ? null : `Not saved, because "${entry}" is not the address of a site: https://example.com`;
}

function refusalOfJson(value: string): string | null {
  try {
    const parsed: unknown = JSON.parse(value);
    const isObject = typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed);
    return isObject ? null : 'Not saved, because this is not a JSON object: {"platform": "https://..."}';
  } catch (error) {
    return `Not saved, because this is not valid JSON: ${(error as Error).message}`;
  }
}
