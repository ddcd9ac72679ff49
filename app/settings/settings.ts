/** All settings that admins can change, with labels, defaults and validation. */
import { z } from 'zod';
import { DEFAULT_CONTACT_EMAIL } from '../../supabase/functions/ai-chat/built-in-texts.ts';
import { DEFAULT_SITE_NAME } from '../../supabase/functions/ai-chat/site-name.ts';
import { EMAIL_PATTERN } from '../ui/lib/email-pattern.ts';
import { unreadableOrigin } from './chat-origins.ts';

export interface Setting {
  label: string;
  /** Help text that describes the effect, in at most 12 words. */
  help: string;
  /** Value if none is saved. {site} is replaced with the site name. */
  default: string;
  input: 'line' | 'text' | 'code' | 'links' | 'email' | 'number' | 'on-off';
  schema: z.ZodType<string, string>;
  /** True if visitors can read the setting. The table's policies list the same keys. */
  isPublic: boolean;
}

const anyText = z.string().max(100_000, 'Enter at most 100,000 characters.');

const email = z.union([z.literal(''), z.email({ pattern: EMAIL_PATTERN, error: 'Enter a valid email address.' })]);

/** Same range as in private.number_setting(), which replaces other values with the default. */
const wholeNumber = z.string().regex(/^\d{1,7}$/, 'Enter a whole number from 0 to 9,999,999.');

const onOff = z.enum(['on', 'off'], 'Choose on or off.');

/** Uses the same rules as private.guard_lead_webhook_url(). */
const webhookUrl = z
  .string()
  .trim()
  .max(2000, 'Enter a URL of at most 2,000 characters.')
  .refine((text) => text === '' || (/^https:\/\/\S+$/.test(text) && URL.canParse(text)), {
    error: 'Enter a URL that begins with https://, or leave this empty.',
  });

/** Object of URLs by platform. Values that are not text are kept but not used. */
const links = z.string().superRefine((text, context) => {
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
      context.addIssue('Not saved. Enter a JSON object such as {"platform": "https://..."}');
      return;
    }
    for (const [platform, url] of Object.entries(parsed)) {
      if (typeof url !== 'string' || url === '' || /^https?:\/\/[^\s/]\S*$/i.test(url)) continue;
      context.addIssue(`Not saved. "${url}" (${platform}) is not a page URL such as https://example.com`);
      return;
    }
  } catch (error) {
    context.addIssue(`Not saved. This is not valid JSON: ${error instanceof Error ? error.message : error}`);
  }
});

const origins = z.string().superRefine((text, context) => {
  const entry = unreadableOrigin(text);
  if (entry === undefined) return;
  context.addIssue(`Not saved. "${entry}" is not a site address such as https://example.com`);
});

/** Accepts the values that the assistant's parseLanguages() supports. parseLanguages() ignores other values. */
const languages = z.string().regex(/^\s*(en|nb)(\s*,\s*(en|nb))*\s*$/, 'Enter en, nb or both, separated by a comma.');

/** Settings shown on public pages. */
export const SITE_SETTINGS = {
  site_name: {
    label: 'Site name',
    help: 'Shown beside the logo, in page titles and in emails.',
    default: DEFAULT_SITE_NAME,
    input: 'line',
    schema: anyText,
    isPublic: true,
  },
  site_tagline: {
    label: 'Site tagline',
    help: 'Shown in the title of the home page.',
    default: 'AI Outbound Systems for Brand-First Growth',
    input: 'line',
    schema: anyText,
    isPublic: true,
  },
  contact_email: {
    label: 'Contact email',
    help: 'Visitors write to this address. New leads are emailed to it.',
    default: DEFAULT_CONTACT_EMAIL,
    input: 'email',
    schema: email,
    isPublic: true,
  },
  contact_phone: {
    label: 'Contact phone',
    help: 'Include the country code.',
    default: '+47 00 00 00 00',
    input: 'line',
    schema: anyText,
    isPublic: true,
  },
  social_links: {
    label: 'Social links',
    help: 'Search engines and assistants connect these pages with this site.',
    default: '{\n  "instagram": "https://www.instagram.com/"\n}',
    input: 'links',
    schema: links,
    isPublic: true,
  },
  seo_description: {
    label: 'SEO description',
    help: 'Shown by search engines below the title.',
    default:
      '{site} builds outreach systems, lead generation automation and chatbots for companies that care how they sound.',
    input: 'text',
    schema: anyText,
    isPublic: true,
  },
  seo_keywords: {
    label: 'SEO keywords',
    help: 'Separated by commas.',
    default: 'outbound sales, lead generation, cold email, deliverability, AI chatbots, Oslo',
    input: 'line',
    schema: anyText,
    isPublic: true,
  },
  faq_on_contact: {
    label: 'Questions on the contact page',
    help: 'Shows published questions and answers on the contact page.',
    default: 'off',
    input: 'on-off',
    schema: onOff,
    isPublic: true,
  },
  count_visits: {
    label: 'Visit statistics',
    help: 'Counts page views without cookies or stored IP addresses.',
    default: 'off',
    input: 'on-off',
    schema: onOff,
    isPublic: true,
  },
  domain_check: {
    label: 'Domain check',
    help: 'Visitors can check a domain’s mail records under Services.',
    default: 'off',
    input: 'on-off',
    schema: onOff,
    isPublic: true,
  },
} satisfies Record<string, Setting>;

export const CHAT_SETTINGS = {
  chat_instructions: {
    label: 'Chat instructions',
    help: 'Facts and tone for the assistant, besides published content.',
    default: '',
    input: 'text',
    schema: anyText,
    isPublic: false,
  },
  chat_daily_cap: {
    label: 'Chat daily cap',
    help: 'Replies per day for the whole site. 0 turns the chat off.',
    default: '1000',
    input: 'number',
    schema: wholeNumber,
    isPublic: false,
  },
  chat_allowed_origins: {
    label: 'Chat allowed origins',
    help: 'Sites that may embed the chat, one address per line.',
    default: '',
    input: 'code',
    schema: origins,
    // Sent to every visitor in a header.
    isPublic: true,
  },
  chat_languages: {
    label: 'Chat languages',
    help: 'Languages of the built-in assistant, default first: en, nb.',
    default: 'en, nb',
    input: 'line',
    schema: languages,
    isPublic: false,
  },
  chat_retention_days: {
    label: 'Chat retention days',
    help: 'Conversations are deleted this many days after their last message.',
    default: '365',
    input: 'number',
    schema: wholeNumber,
    isPublic: true,
  },
} satisfies Record<string, Setting>;

/** Settings for data that visitors submit. All are off by default, so no data is stored. */
export const LEAD_SETTINGS = {
  keep_contact_messages: {
    label: 'Keep contact messages',
    help: 'Stores contact form messages as leads. If off, discards them.',
    default: 'off',
    input: 'on-off',
    schema: onOff,
    isPublic: true,
  },
  answer_time: {
    label: 'Response time',
    help: 'Shown after a message is sent, such as “within one working day”.',
    default: '',
    input: 'line',
    schema: z.string().trim().max(60, 'Enter at most 60 characters.'),
    isPublic: true,
  },
  leads_from_chat: {
    label: 'Leads from the chat',
    help: 'Visitors who accept a personal reply in the chat become leads.',
    default: 'off',
    input: 'on-off',
    schema: onOff,
    isPublic: true,
  },
  newsletter_signup: {
    label: 'Newsletter sign-up',
    help: 'Visitors can sign up in the footer and confirm by email.',
    default: 'off',
    input: 'on-off',
    schema: onOff,
    isPublic: true,
  },
  lead_webhook_url: {
    label: 'Lead webhook',
    help: 'The public https URL that receives each new lead.',
    default: '',
    input: 'line',
    schema: webhookUrl,
    isPublic: false,
  },
} satisfies Record<string, Setting>;

export const MEDIA_SETTINGS = {
  require_alt_text: {
    label: 'Alt texts required',
    help: 'Published pictures need alt text. Portraits are exempt.',
    default: 'off',
    input: 'on-off',
    schema: onOff,
    isPublic: false,
  },
} satisfies Record<string, Setting>;

export const ACCESS_SETTINGS = {
  require_second_factor: {
    label: 'Second factor for admins',
    help: 'Admins also need a code or security key. Set yours up first.',
    default: 'off',
    input: 'on-off',
    schema: onOff,
    isPublic: false,
  },
} satisfies Record<string, Setting>;

/** Returns the setting with that key, or undefined. */
export function findSetting(key: string): Setting | undefined {
  const settings: Partial<Record<string, Setting>> = {
    ...SITE_SETTINGS,
    ...CHAT_SETTINGS,
    ...LEAD_SETTINGS,
    ...MEDIA_SETTINGS,
    ...ACCESS_SETTINGS,
  };
  return settings[key];
}
